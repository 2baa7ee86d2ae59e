import { signal, type ReadonlySignal } from '@preact/signals'

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
