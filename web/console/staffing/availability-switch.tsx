import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useCommand } from '../commands/use-command.js'
import { Opened } from '../lazy.js'
import { useStore } from '../store/console-store.js'

/** The agent's status with its load, which opens the dialog that changes it. */
export function AvailabilitySwitch() {
  const { availability } = useStore()
  const [isOpen, open] = useState(false)
  const words = t().staffing
  const state = availability.state.value
  useCommand({ id: 'status', label: words.title, icon: 'clock', key: 'g v', run: () => open(true) }, state !== null)
  if (!state) return null
  const reason = state.reasonCode?.name ?? state.reason
  const word = reason ? `${words.standings[state.standing]}, ${reason}` : words.standings[state.standing]
  const load = `${state.load}/${state.capacity}`
  return (
    <>
      <button type="button" class="status" onClick={() => open(true)}>
        <span class="vh">{words.button(word, load)}</span>
        <span class="dot" data-is={state.standing} />
        <span aria-hidden="true">{word}</span>
        <span aria-hidden="true">{load}</span>
      </button>
      {isOpen && <Opened dialog="StatusDialog" state={state} close={() => open(false)} />}
    </>
  )
}
