import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Command } from '../store/commands.js'
import { useStore } from '../store/console-store.js'

/** Adds a command while the component is shown. @param isOn whether it can be done now */
export function useCommand(command: Command, isOn = true): void {
  const { commands } = useStore()
  const latest = useRef(command)
  latest.current = command
  const { id, label, icon, key, zone } = command
  // Before the screen that offers it is seen: its key works from then on.
  useLayoutEffect(() => {
    if (!isOn) return
    return commands.add({ id, label, icon, key, zone, run: () => latest.current.run() })
  }, [commands, id, label, icon, key, zone, isOn])
}
