import { signal, type ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useOffice } from '../office.js'

/** Something that can be done now, by its key or out of the palette. */
export interface Command {
  id: string
  label: string
  icon: string
  /** A letter; two of them one after the other, as `g q`. */
  key?: string
  run(): void
}

/** What can be done at this moment: each part of the screen adds what it can do while it is shown. */
export class Commands {
  readonly #list = signal<readonly Command[]>([])

  get list(): ReadonlySignal<readonly Command[]> {
    return this.#list
  }

  add(command: Command): () => void {
    this.#list.value = [...this.#list.peek().filter(({ id }) => id !== command.id), command]
    return () => void (this.#list.value = this.#list.peek().filter((each) => each !== command))
  }

  ofKey(key: string): Command | undefined {
    return this.#list.peek().find((each) => each.key === key)
  }

  /** Whether a key begins one of two letters. */
  begins(key: string): boolean {
    return this.#list.peek().some((each) => each.key?.startsWith(`${key} `))
  }
}

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
