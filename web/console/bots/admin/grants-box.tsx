import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../shared/i18n/messages.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useOwnChange } from '../../use-own-change.js'
import { firstLines, isAlways, lineOf, linesOf, type Bot, type Governance, type Line } from './grants.js'
import { LineFields } from './line-fields.js'
import { LineList } from './line-list.js'
import { SaveStatus } from './setting-box.js'
import { useGrantsDraft } from './use-grants-draft.js'
import { words } from './words.js'

interface GrantsBoxProps {
  bot: Bot
  organization: string
  name: string
  /** Lines are tried before those of the organizations above. */
  isBelow: boolean
  refresh(): void
}

/** Rights of a bot in conversations of one organization: in words, or as fields while somebody changes them. */
export function GrantsBox({ bot, organization, name, isBelow, refresh }: GrantsBoxProps) {
  const root = useRef<HTMLElement>(null)
  const [governance, setOwn] = useOwnChange(bot.governance)
  const [isSaved, setSaved] = useState(false)
  const draft = useGrantsDraft({ ...bot, governance }, organization, {
    refresh,
    saved(next) {
      setOwn(next)
      setSaved(true)
      refresh()
    },
  })
  const lines = linesOf(governance, organization)
  const isEdited = draft.draft !== null
  const wasEdited = useRef(isEdited)
  useLayoutEffect(() => {
    // The button that had the focus has gone.
    if (wasEdited.current !== isEdited) root.current?.querySelector<HTMLElement>('select, button')?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  const begin = (): void => {
    setSaved(false)
    draft.begin(governance || isBelow ? lines : firstLines())
  }
  return (
    <section ref={root} class="box" aria-label={words.inOrganization(name)}>
      <header>
        <h2>
          <bdi>{words.inOrganization(name)}</bdi>
        </h2>
        <SaveStatus isBusy={draft.isBusy} isEdited={isEdited} isSaved={isSaved} />
        {!isEdited && (
          <button
            type="button"
            class="btn small"
            aria-label={governance ? words.editOf(name) : undefined}
            onClick={begin}
          >
            {governance ? words.edit : words.govern}
          </button>
        )}
      </header>
      {draft.draft ? (
        <GrantsForm draft={draft} organization={organization} isBelow={isBelow} />
      ) : (
        <div class="pad stack">
          <Meaning governance={governance} organization={organization} isBelow={isBelow} />
        </div>
      )}
    </section>
  )
}

interface MeaningProps {
  governance: Governance | null
  organization: string
  isBelow: boolean
}

/** Says what the lines come to. */
function Meaning({ governance, organization, isBelow }: MeaningProps) {
  const lines = linesOf(governance, organization)
  if (!governance) return <p>{words.free}</p>
  if (lines.length === 0 && isBelow) return <p>{words.fromAbove}</p>
  const settled = new Set(lines.filter(({ conditions }) => isAlways(conditions)).map(({ action }) => action))
  // Contacts are in no conversation: without a line of their own nothing keeps them from it.
  const namesContacts = settled.delete('READ_CONTACT')
  const others = Object.keys(words.actions).length - 1
  return (
    <>
      {lines.length === 0 ? <p>{words.onlyReads}</p> : <LineList lines={lines} />}
      {!isBelow && !namesContacts && <p class="mid">{words.contactsToo}</p>}
      {!isBelow && lines.length > 0 && settled.size < others && <p class="mid">{words.nothingElse}</p>}
    </>
  )
}

interface GrantsFormProps extends Omit<MeaningProps, 'governance'> {
  draft: ReturnType<typeof useGrantsDraft>
}

function GrantsForm({ draft: { draft, fault, isBusy, change, discard, save }, ...shown }: GrantsFormProps) {
  const { lines, theirs } = draft!
  const form = useRef<HTMLFormElement>(null)
  // What had the focus has moved, or is gone.
  const focusSoon = (selector: string): void =>
    void requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus())
  const set = (index: number, ...next: Line[]): void => change(lines.toSpliced(index, 1, ...next))
  const move = (index: number, step: -1 | 1): void => {
    change(lines.toSpliced(index, 1).toSpliced(index + step, 0, lines[index]!))
    focusSoon(`#${CSS.escape(lines[index]!.key)} [data-step="${step}"]`)
  }
  const remove = (index: number): void => {
    set(index)
    focusSoon('[data-add]')
  }
  return (
    <form
      ref={form}
      class="pad stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {lines.length === 0 && <p class="mid">{words.noLines}</p>}
      {lines.map((line, index) => (
        <LineFields
          key={line.key}
          line={line}
          number={index + 1}
          isLast={index === lines.length - 1}
          fault={fault?.line === index ? fault.message : null}
          change={(next) => set(index, next)}
          move={(step) => move(index, step)}
          remove={() => remove(index)}
        />
      ))}
      <p>
        <button
          type="button"
          class="btn ghost small"
          data-add
          onClick={() => change([...lines, lineOf('NOTE', 'ACT')])}
        >
          <Icon name="plus" size="s" />
          {words.add}
        </button>
      </p>
      {theirs && (
        <div class="band warn" role="alert">
          <Icon name="alert" />
          <div class="stack">
            <p>{words.conflict}</p>
            <Meaning governance={theirs.governance} {...shown} />
          </div>
        </div>
      )}
      {fault && fault.line === null && <ErrorHint text={fault.message} />}
      <p class="line">
        <button class="btn primary" aria-disabled={isBusy}>
          {theirs ? words.replaceIt : t().save}
        </button>
        <button type="button" class="btn" onClick={discard}>
          {theirs ? words.useTheirs : t().cancel}
        </button>
      </p>
    </form>
  )
}
