import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useOffice } from '../office.js'
import { RequestDialog } from '../request-dialog.js'
import type { OwnState } from './own-availability.js'

const CHOICES: readonly OwnState['availability'][] = ['AVAILABLE', 'BUSY', 'AWAY', 'OFFLINE']

/** Sets whether the agent takes conversations, with a reason that colleagues see. */
export function StatusDialog({ state, close }: { state: OwnState; close(): void }) {
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
          <label key={each} class="check">
            <input
              type="radio"
              name="availability"
              checked={chosen === each}
              autofocus={chosen === each}
              onChange={() => choose(each)}
            />
            <span>
              {words.states[each]}
              <span class="hint">{words.helps[each]}</span>
            </span>
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
