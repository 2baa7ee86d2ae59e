import { signal, type ReadonlySignal } from '@preact/signals'

type Zone = 'work' | 'list' | 'anywhere'

/** Something that can be done now: its button, its key, the palette, the list of keys and the icons' hints read it. */
export interface Command {
  id: string
  label: string
  icon: string
  /** A letter, `shift` and a letter, two letters one after the other as `g q`, or a key with `ctrl` or `alt`. */
  key?: string
  /** The zone in which its key acts: lists and the log (the default), lists alone, or anywhere. */
  zone?: Zone
  /** True of going to a view, of which there may be many: the palette has them last. */
  isView?: boolean
  run(): void
}

/** Commands of this moment: each part of the screen adds what it can do while it is shown. */
export class Commands {
  readonly #list = signal<readonly Command[]>([])

  get list(): ReadonlySignal<readonly Command[]> {
    return this.#list
  }

  add(command: Command): () => void {
    this.#list.value = [...this.#list.peek().filter(({ id }) => id !== command.id), command]
    return () => void (this.#list.value = this.#list.peek().filter((each) => each !== command))
  }

  ofKey(key: string, zone: Zone): Command | undefined {
    return this.#list.peek().findLast((each) => each.key === key && (each.zone ?? 'work') === zone)
  }

  /** Tells whether a key begins one of two letters. */
  begins(key: string): boolean {
    return this.#list.peek().some((each) => each.key?.startsWith(`${key} `) && (each.zone ?? 'work') === 'work')
  }
}
