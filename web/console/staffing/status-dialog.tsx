import { useState } from 'preact/hooks'
import { OwnReasonCodesDocument } from '../../generated/beside.js'
import { t } from '../../shared/i18n/messages.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { RequestDialog } from '../request-dialog.js'
import type { OwnState } from '../store/own-availability.js'

const CHOICES = ['AVAILABLE', 'BUSY', 'AWAY', 'OFFLINE'] as const

/** Sets whether the agent takes conversations, with a reason that colleagues see. */
export function StatusDialog({ state, close }: { state: OwnState; close(): void }) {
  const { availability } = useStore()
  useActWords()
  const words = t().staffing
  const [chosen, choose] = useState<OwnState['availability']>(state.availability)
  const [reason, setReason] = useState(state.reason ?? '')
  const [code, setCode] = useState(state.reasonCode?.id ?? '')
  const { data } = useQuery(OwnReasonCodesDocument, {})
  const isChosen = chosen === 'BUSY' || chosen === 'AWAY' || chosen === 'OFFLINE'
  const codes = isChosen
    ? (data?.agentState.reasonCodes ?? []).filter((each) => each.availabilities.includes(chosen))
    : []
  const takesReason = chosen === 'AWAY' || chosen === 'BUSY'
  const save = async (): Promise<void> => {
    // The server sets this one; saving it leaves it as it is.
    if (chosen === 'NOT_RESPONDING' || chosen === 'WRAP_UP') return
    const reasonCode = codes.find(({ id }) => id === code)?.id ?? null
    await availability.set({ availability: chosen, reason: (takesReason && reason.trim()) || null, reasonCode })
  }
  return (
    <RequestDialog title={words.title} icon="clock" label={t().save} tone="primary" submit={save} close={close}>
      <p>{words.load(state.load, state.capacity)}</p>
      {state.availability === 'NOT_RESPONDING' && <p class="hint bad">{words.missed}</p>}
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
              <span class="hint">{catalogue.status.helps[each]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {codes.length > 0 && (
        <label class="field">
          {words.reasonCode}
          <select class="in" value={code} onChange={(event) => setCode(event.currentTarget.value)}>
            <option value="">–</option>
            {codes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {takesReason && (
        <label class="field">
          {words.reason}
          <input class="in" maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
      )}
    </RequestDialog>
  )
}
