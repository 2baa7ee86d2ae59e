import { useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { useCommand } from '../commands/use-command.js'
import { Opened } from '../lazy.js'
import { useOffice } from '../office.js'
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

/** The agent's status with its load, which opens the dialog that changes it. */
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
      {isOpen && <Opened dialog="StatusDialog" state={state} close={() => open(false)} />}
    </>
  )
}
