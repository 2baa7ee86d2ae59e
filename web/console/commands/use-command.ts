import { useLayoutEffect, useRef } from 'preact/hooks'
import { useOffice } from '../office.js'
import type { Command } from './commands.js'

/** Adds a command while the component is shown. @param isOn whether it can be done now */
export function useCommand(command: Command, isOn = true): void {
  const { commands } = useOffice()
  const latest = useRef(command)
  latest.current = command
  const { id, label, icon, key } = command
  // Before the screen that offers it is seen: its key works from then on.
  useLayoutEffect(() => {
    if (!isOn) return
    return commands.add({ id, label, icon, key, run: () => latest.current.run() })
  }, [commands, id, label, icon, key, isOn])
}
