import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useCommand } from '../commands/use-command.js'
import { useOffice } from '../office.js'
import { RequestDialog } from '../request-dialog.js'
import type { OwnState } from './own-availability.js'

type Availability = OwnState['availability']

/** Differs in tone and shape, so that it does not depend on colours. */
const LOOKS: Readonly<Record<Availability, { tone: string; shape: string }>> = {
  AVAILABLE: { tone: 'good', shape: '' },
  BUSY: { tone: 'bad', shape: 'bar' },
  AWAY: { tone: 'warn', shape: 'hollow' },
  OFFLINE: { tone: 'mute', shape: 'hollow' },
  NOT_RESPONDING: { tone: 'bad', shape: 'bar' },
}
const CHOICES: readonly Availability[] = ['AVAILABLE', 'BUSY', 'AWAY', 'OFFLINE']

/** The agent's status with its load, and the dialog that changes it. */
export function AvailabilitySwitch() {
  const { availability } = useOffice()
  const [isOpen, open] = useState(false)
  const words = t().staffing
  const state = availability.state.value
  useCommand({ id: 'status', label: words.title, icon: 'clock', key: 'g v', run: () => open(true) }, state !== null)
  if (!state) return null
  const { tone, shape } = LOOKS[state.availability]
  const load = `${state.load}/${state.capacity}`
  return (
    <>
      <button type="button" class="status" onClick={() => open(true)}>
        <span class="vh">{words.button(words.states[state.availability], load)}</span>
        <span class={tone} aria-hidden="true">
          <span class={`dot ${shape}`} />
        </span>
        <span aria-hidden="true">{words.states[state.availability]}</span>
        <span class="mono" aria-hidden="true">
          {load}
        </span>
      </button>
      {isOpen && <StatusDialog state={state} close={() => open(false)} />}
    </>
  )
}

function StatusDialog({ state, close }: { state: OwnState; close(): void }) {
  const { availability } = useOffice()
  const words = t().staffing
  const [chosen, choose] = useState(state.availability)
  const [reason, setReason] = useState(state.reason ?? '')
  const takesReason = chosen === 'AWAY' || chosen === 'BUSY'
  const save = async (): Promise<void> => {
    // The server sets this one; saving it leaves it as it is.
    if (chosen === 'NOT_RESPONDING') return
    await availability.set({ availability: chosen, reason: (takesReason && reason.trim()) || null })
  }
  return (
    <RequestDialog title={words.title} icon="clock" label={t().save} tone="primary" submit={save} close={close}>
      <p>{words.load(state.load, state.capacity)}</p>
      {state.availability === 'NOT_RESPONDING' && <p class="hint bad">{words.helps.NOT_RESPONDING}</p>}
      <fieldset class="states">
        <legend class="vh">{words.title}</legend>
        {CHOICES.map((each) => (
          <label key={each} class="line">
            <input type="radio" name="availability" checked={chosen === each} onChange={() => choose(each)} />
            {words.states[each]}
            <span class="hint">{words.helps[each]}</span>
          </label>
        ))}
      </fieldset>
      {takesReason && (
        <label class="field">
          {words.reason}
          <input class="in" maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
      )}
    </RequestDialog>
  )
}
