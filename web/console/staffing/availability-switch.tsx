import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useCommand } from '../commands/use-command.js'
import { Opened } from '../lazy.js'
import { useOffice } from '../office.js'

/** The agent's status with its load, which opens the dialog that changes it. */
export function AvailabilitySwitch() {
  const { availability } = useOffice()
  const [isOpen, open] = useState(false)
  const words = t().staffing
  const state = availability.state.value
  useCommand({ id: 'status', label: words.title, icon: 'clock', key: 'g v', run: () => open(true) }, state !== null)
  if (!state) return null
  const load = `${state.load}/${state.capacity}`
  return (
    <>
      <button type="button" class="status" onClick={() => open(true)}>
        <span class="vh">{words.button(words.states[state.availability], load)}</span>
        <span class="dot" data-is={state.availability} />
        <span aria-hidden="true">{words.states[state.availability]}</span>
        <span aria-hidden="true">{load}</span>
      </button>
      {isOpen && <Opened dialog="StatusDialog" state={state} close={() => open(false)} />}
    </>
  )
}
