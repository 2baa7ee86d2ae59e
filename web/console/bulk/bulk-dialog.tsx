import { useEffect, useState } from 'preact/hooks'
import { ColleaguesDocument } from '../../generated/beside.js'
import { dayTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { localMinute, snoozeTimes } from '../acts/snooze-times.js'
import { useQuery } from '../admin/use-query.js'
import { LabelChips } from '../labels/label-chips.js'
import { macrosOf, readMacros } from '../macros/macros-of.js'
import { StepLine } from '../macros/step-line.js'
import { useMacroWords } from '../macros/words.js'
import { RequestDialog } from '../request-dialog.js'
import { useStore } from '../store/console-store.js'
import type { Act } from './bulk-runs.js'
import { words } from './words.js'

export type Kind = 'label' | 'snooze' | 'handOver' | 'macro'

interface BulkDialogProps {
  kind: Kind
  /** Number of the conversations. */
  count: number
  run(act: Act): Promise<void>
  close(): void
}

interface FieldsProps {
  /** Null: nothing is chosen yet. */
  choose(act: Act | null): void
}

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 86_400_000
const ICONS = { label: 'tag', snooze: 'snooze', handOver: 'hand', macro: 'macro' } as const
const FIELDS = { label: LabelFields, snooze: SnoozeFields, handOver: HandOverFields, macro: MacroFields }

/** Asks what is to be done with the selected conversations. */
export function BulkDialog({ kind, count, run, close }: BulkDialogProps) {
  const [act, choose] = useState<Act | null>(null)
  const Fields = FIELDS[kind]
  return (
    <RequestDialog
      title={words[kind]}
      icon={ICONS[kind]}
      label={words.apply(count)}
      tone="primary"
      isReady={act !== null}
      submit={() => run(act!)}
      close={close}
    >
      <Fields choose={choose} />
    </RequestDialog>
  )
}

function LabelFields({ choose }: FieldsProps) {
  const { labels } = useStore().organization
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isOff, setOff] = useState(false)
  const usable = [...labels.value.values()].filter(({ archivedAt }) => isOff || archivedAt === null)
  useEffect(() => {
    const chosen = usable.flatMap(({ id }) => (ids.has(id) ? [id] : []))
    const step = { kind: 'LABELS', [isOff ? 'remove' : 'add']: chosen } as const
    choose(chosen.length > 0 ? { step } : null)
  }, [ids, isOff])
  const toggle = (id: string): void => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setIds(next)
  }
  if (labels.value.size === 0) return <p class="mid">{words.noLabels}</p>
  return (
    <>
      <div class="line" role="radiogroup" aria-label={words.labels}>
        {[false, true].map((off) => (
          <label key={String(off)} class="check">
            <input type="radio" name="bulk-off" autofocus={!off} checked={isOff === off} onChange={() => setOff(off)} />
            {off ? words.takeOff : words.putOn}
          </label>
        ))}
      </div>
      <fieldset class="checks label-list">
        <legend class="vh">{words.labels}</legend>
        {usable.map((label) => (
          <label key={label.id} class="check">
            <input type="checkbox" checked={ids.has(label.id)} onChange={() => toggle(label.id)} />
            <LabelChips labels={[label]} />
          </label>
        ))}
      </fieldset>
    </>
  )
}

function SnoozeFields({ choose }: FieldsProps) {
  const store = useStore()
  // What is chosen stays the same time.
  const [now] = useState(() => store.session.now())
  const [until, setUntil] = useState('')
  const [own, setOwn] = useState(() => localMinute(now + 120 * MINUTE_MS))
  useEffect(() => {
    const at = until === 'own' ? new Date(own).getTime() : Number(until)
    const minutes = Math.round((at - store.session.now()) / MINUTE_MS)
    choose(until !== '' && minutes >= 1 ? { step: { kind: 'SNOOZE', minutes } } : null)
  }, [until, own])
  return (
    <div class="field">
      <label for="bulk-until">{words.until}</label>
      <select
        class="in"
        id="bulk-until"
        required
        autofocus
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      >
        <option value="" />
        {snoozeTimes(now).map(([choice, at]) => (
          <option key={choice} value={at.getTime()}>
            {`${words[choice]} · ${dayTime(at.getTime(), now)}`}
          </option>
        ))}
        <option value="own">{words.own}</option>
      </select>
      {until === 'own' && (
        <input
          class="in"
          type="datetime-local"
          aria-label={words.own}
          required
          min={localMinute(now + 2 * MINUTE_MS)}
          max={localMinute(now + YEAR_MS)}
          value={own}
          onInput={(event) => setOwn(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

function HandOverFields({ choose }: FieldsProps) {
  const store = useStore()
  const { staffing } = t()
  const [to, setTo] = useState('')
  const [note, setNote] = useState('')
  const { data } = useQuery(ColleaguesDocument, {})
  const room = ({ capacity, load }: { capacity: number; load: number }): number => capacity - load
  const people = (data?.agentStates ?? [])
    .filter((each) => each.userId !== store.user && each.user)
    .toSorted((a, b) => room(b) - room(a))
  useEffect(() => {
    const [kind, id] = to.split(' ')
    const target = kind === 'user' ? { user: id } : { channel: id }
    choose(to === '' ? null : { step: { kind: 'HAND_OVER', ...target, note: note.trim() || null } })
  }, [to, note])
  return (
    <>
      <div class="field">
        <label for="bulk-to">{words.to}</label>
        <select
          class="in"
          id="bulk-to"
          required
          autofocus
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        >
          <option value="" />
          <optgroup label={words.people}>
            {people.map(({ userId, user, standing, load, capacity }) => (
              <option key={userId} value={`user ${userId}`}>
                {`${user!.displayName} · ${staffing.standsWith(staffing.standings[standing], load, capacity)}`}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.channels}>
            {(store.organization.channels.value ?? []).map(({ id, name }) => (
              <option key={id} value={`channel ${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
      <div class="field">
        <label for="bulk-note">{words.note}</label>
        <textarea
          class="in"
          id="bulk-note"
          rows={3}
          maxLength={5000}
          dir="auto"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </>
  )
}

function MacroFields({ choose }: FieldsProps) {
  useMacroWords()
  const store = useStore()
  const macros = macrosOf(store).value
  const [id, setId] = useState('')
  const chosen = macros?.find((each) => each.id === id)
  useEffect(() => void readMacros(store).catch(() => undefined), [])
  useEffect(() => choose(chosen ? { macro: chosen.id } : null), [chosen])
  if (macros?.length === 0) return <p class="mid">{words.noMacros}</p>
  return (
    <>
      <div class="field">
        <label for="bulk-macro">{words.macros}</label>
        <select
          class="in"
          id="bulk-macro"
          required
          autofocus
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        >
          <option value="" />
          {macros?.map((macro) => (
            <option key={macro.id} value={macro.id}>
              {macro.name}
            </option>
          ))}
        </select>
      </div>
      {chosen && (
        <section class="does" aria-label={words.does}>
          <ol>
            {chosen.steps.map((step, index) => (
              <StepLine key={index} step={step} />
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
