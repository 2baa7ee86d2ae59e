import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { navigate } from '../../shared/router.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import { Icon } from '../../shared/ui/icon.js'
import type { Command } from '../store/commands.js'
import { viewMenu } from '../lists/views-button.js'
import { useStore, type ConsoleStore } from '../store/console-store.js'
import { threadPath } from '../route.js'
import { KeyWords } from './key-words.js'

interface Option {
  id: string
  group: string
  icon: string
  label: string
  detail?: string | null
  key?: string
  run(): void
}

const EACH_MAX = 6
const VIEWS_MAX = 20

/** Everything by its name: conversations that are shown somewhere, and what can be done now. */
export function Palette({ close }: { close(): void }) {
  useActWords()
  const store = useStore()
  const words = catalogue.palette
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const commands = store.commands.list.value
  const options = useMemo(() => optionsFor(store, text.trim()), [store, text, commands])
  const chosen = options[Math.min(at, options.length - 1)]
  // At once: the next letter is meant for it, and would be a command beside it.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => void (viewMenu.value ||= 'wanted'), [])

  const run = (option: Option | undefined): void => {
    if (!option) return
    close()
    option.run()
  }
  const keyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((options.indexOf(chosen!) + step + options.length) % options.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }
  const groups = [...new Set(options.map(({ group }) => group))]
  return (
    <dialog
      ref={dialog}
      class="pop palette"
      aria-label={t().palette.label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="ask">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-options"
          aria-activedescendant={chosen && `o-${chosen.id}`}
          aria-label={words.ask}
          placeholder={words.ask}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={keyDown}
        />
        <kbd aria-hidden="true">Esc</kbd>
      </div>
      <div class="opts" id="palette-options" role="listbox" aria-label={words.results}>
        {groups.map((group) => (
          <div key={group} role="group" aria-label={group}>
            <p class="cap" aria-hidden="true">
              {group}
            </p>
            {options
              .filter((each) => each.group === group)
              .map((option) => (
                <div
                  key={option.id}
                  class="opt"
                  role="option"
                  id={`o-${option.id}`}
                  aria-selected={option === chosen}
                  onClick={() => run(option)}
                  onPointerMove={() => setAt(options.indexOf(option))}
                >
                  <Icon name={option.icon} />
                  <bdi class="cut">
                    <Marked label={option.label} part={text.trim()} />
                  </bdi>
                  <span>{option.key && <KeyWords of={option.key} />}</span>
                  {option.detail && (
                    <small class="cut">
                      <bdi>{option.detail}</bdi>
                    </small>
                  )}
                </div>
              ))}
          </div>
        ))}
        {options.length === 0 && <p class="cap">{words.nothing}</p>}
      </div>
      <footer aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {words.choose} <kbd>Enter</kbd> {words.open}
      </footer>
    </dialog>
  )
}

/** The label, with what was typed of it set off. */
function Marked({ label, part }: { label: string; part: string }) {
  const from = part === '' ? -1 : folded(label).indexOf(folded(part))
  if (from < 0) return <>{label}</>
  const letters = [...label.normalize('NFC')]
  // Without its accents a text may be shorter or longer.
  const reach = (length: number): number =>
    letters.findIndex((_, at) => folded(letters.slice(0, at).join('')).length >= length)
  const [start, end] = [reach(from), reach(from + folded(part).length)]
  return (
    <>
      {letters.slice(0, start).join('')}
      <mark>{letters.slice(start, end < 0 ? undefined : end).join('')}</mark>
      {end >= 0 && letters.slice(end).join('')}
    </>
  )
}

function optionsFor(store: ConsoleStore, text: string): Option[] {
  const words = catalogue.palette
  const fits = (label: string | null): boolean => label !== null && folded(label).includes(folded(text))
  const search: Option[] =
    text === ''
      ? []
      : [
          {
            id: 'search',
            group: words.search,
            icon: 'search',
            label: words.searchFor(text),
            run: () => navigate(`/console/search?q=${encodeURIComponent(text)}`),
          },
        ]
  const fitting = store.commands.list.value.filter(({ id, label }) => id !== 'palette' && fits(label))
  const optionsOf = (commands: readonly Command[], group: string): Option[] =>
    commands.map(({ id, label, icon, key, run }) => ({ id, group, icon, label, key, run }))
  const { actions = [], views = [] } = Object.groupBy(fitting, ({ isView }) => (isView ? 'views' : 'actions'))
  return [
    ...conversationsOf(store, fits),
    ...optionsOf(actions, words.actions),
    ...optionsOf(views.slice(0, VIEWS_MAX), t().views.title),
    ...search,
  ]
}

function conversationsOf(store: ConsoleStore, fits: (label: string | null) => boolean): Option[] {
  const lists = [store.lists.mine, store.lists.inbox, store.lists.queue].map(({ state }) => [
    ...(state.value?.values() ?? []),
  ])
  const known = new Map(lists.flat().map((row) => [row.conversation, row]))
  const found = [...known.values()].filter(
    ({ contactName, name, preview }) => fits(contactName) || fits(name) || fits(preview),
  )
  return found.slice(0, EACH_MAX).map((row) => ({
    id: row.conversation,
    group: catalogue.palette.conversations,
    icon: row.touchpoint ? TOUCHPOINT_TRAITS[row.touchpoint].icon : 'chat',
    label: row.contactName || t().list.anonymous,
    detail: row.preview,
    run: () => navigate(threadPath(row.conversation)),
  }))
}

/** Case and accents make no difference. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()
}
