/** Values that a browser keeps for a service: in the page's localStorage, so that no third party's storage is needed. */
export class Storage {
  readonly #memory = new Map<string, string>()
  #isKept = true

  constructor(private readonly prefix: string) {}

  /** False where the browser keeps nothing: storage is forbidden or full. */
  get isKept(): boolean {
    return this.#isKept
  }

  key(name: string): string {
    return name === '' ? this.prefix : `${this.prefix} ${name}`
  }

  read<T>(name: string): T | null {
    const key = this.key(name)
    return parse(this.#memory.get(key) ?? this.#attempt(() => localStorage.getItem(key)))
  }

  /** The values whose names begin so, in the order of their names. */
  all<T>(start: string): T[] {
    // Names first: the page that the widget is on may keep megabytes here.
    const kept = this.#attempt(() => Object.keys(localStorage)) ?? []
    return [...new Set([...kept, ...this.#memory.keys()])]
      .filter((key) => key.startsWith(this.key(start)))
      .toSorted()
      .flatMap((key) => this.read<T>(key.slice(this.prefix.length + 1)) ?? [])
  }

  /** @param value null takes it away */
  write(name: string, value: unknown): void {
    const key = this.key(name)
    this.#memory.delete(key)
    const text = JSON.stringify(value)
    const isWritten = this.#attempt(() => {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
      return (this.#isKept = true)
    })
    if (isWritten) return
    if (value !== null) this.#memory.set(key, text)
    // An older value, of before the storage was full, must not come back.
    this.#attempt(() => localStorage.removeItem(key))
  }

  #attempt<T>(run: () => T): T | undefined {
    try {
      return run()
    } catch {
      this.#isKept = false
      return undefined
    }
  }
}

function parse<T>(text: string | null | undefined): T | null {
  try {
    return JSON.parse(text!) as T
  } catch {
    return null
  }
}
