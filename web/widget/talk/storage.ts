/** What a browser keeps for a service: in the page's localStorage, so that no third party's storage is needed. */
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
    let text = this.#memory.get(key) ?? null
    try {
      text ??= localStorage.getItem(key)
    } catch {
      this.#isKept = false
    }
    try {
      return text === null ? null : (JSON.parse(text) as T)
    } catch {
      return null
    }
  }

  /** @param value null takes it away */
  write(name: string, value: unknown): void {
    const key = this.key(name)
    this.#memory.delete(key)
    const text = JSON.stringify(value)
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
      this.#isKept = true
    } catch {
      this.#isKept = false
      if (value !== null) this.#memory.set(key, text)
      // An older value, of before the storage was full, must not come back.
      try {
        localStorage.removeItem(key)
      } catch {
        // Forbidden altogether.
      }
    }
  }
}
