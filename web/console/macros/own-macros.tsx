import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../shared/ui/icon.js'
import { route } from '../route.js'
import { useStore } from '../store/console-store.js'
import { useMacroList } from './macro-list.js'
import { StepLine } from './step-line.js'
import { useMacroWords, words } from './words.js'

/** The agent's own macros; whoever supervises a channel has the shared ones here too. */
export function OwnMacros() {
  const isLoaded = useMacroWords()
  const store = useStore()
  const box = useRef<HTMLElement>(null)
  const maySupervise = store.supervises
  const list = useMacroList(maySupervise ? null : { owner: { eq: store.user } })
  const shown = route.value
  const isAsked = shown.page === 'settings' && shown.rest === 'macros'
  useEffect(() => {
    if (isAsked && isLoaded) box.current?.scrollIntoView()
  }, [isAsked, isLoaded])
  if (!isLoaded) return null
  return (
    <section ref={box} class="box" aria-label={words.title}>
      <header>
        <Icon name="macro" />
        <h2>{words.title}</h2>
        <span class="mute t2">{words.lead}</span>
        <button class="btn small push" onClick={() => list.edit('new')}>
          <Icon name="plus" size="s" />
          {words.add}
        </button>
      </header>
      {list.rows?.length === 0 && <p class="pad mid">{words.empty[1]}</p>}
      {list.rows?.map((macro) => (
        <div class="set" key={macro.id}>
          <div>
            <b>
              <bdi>{macro.name}</bdi>
            </b>{' '}
            {macro.shortcut && <span class="mono mute">;{macro.shortcut}</span>}{' '}
            {maySupervise && <span class="tag">{macro.ownerId ? words.mine : words.everyone}</span>}{' '}
            {macro.archivedAt && <span class="tag">{words.archived}</span>}
            <ol>
              {macro.steps.map((step, index) => (
                <StepLine key={index} step={step} />
              ))}
            </ol>
          </div>
          <button class="btn ghost small" aria-label={`${words.edit}: ${macro.name}`} onClick={() => list.edit(macro)}>
            {words.edit}
          </button>
        </div>
      ))}
      {list.form(maySupervise ? {} : { isShared: false })}
    </section>
  )
}
