import type { Outgoing } from './outgoing.js'

/** What was written and not sent, by conversation. */
export interface Draft {
  /** `user conversation`. */
  key: string
  text: string
  isNote: boolean
  at: number
  /** The server has it as it is here. */
  isSaved?: boolean
}

export interface Tables {
  outbox: Outgoing
  drafts: Draft
}

/** Keeps what was typed. `isKept` is false where the browser stores nothing: it is then in this tab's memory only. */
export interface Store {
  readonly isKept: boolean
  all<Table extends keyof Tables>(table: Table): Promise<Tables[Table][]>
  put<Table extends keyof Tables>(table: Table, row: Tables[Table]): Promise<void>
  delete(table: keyof Tables, key: string): Promise<void>
}

const NAME = 'switchboard'
const VERSION = 1
const KEYS = { outbox: 'id', drafts: 'key' } as const

/** IndexedDB, or memory where it is not to be had: a private window, a full disk. */
export async function openStore(): Promise<Store> {
  const database = await openDatabase().catch(() => null)
  return database ? new KeptStore(database) : new MemoryStore()
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.addEventListener('upgradeneeded', () => {
      for (const [table, keyPath] of Object.entries(KEYS)) request.result.createObjectStore(table, { keyPath })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
    request.addEventListener('blocked', () => reject(new Error('the database is in use')))
  })
}

class KeptStore implements Store {
  /** What could not be written, as on a full disk, is in memory all the same. */
  readonly #memory = new MemoryStore()
  #isKept = true

  constructor(private readonly database: IDBDatabase) {}

  get isKept(): boolean {
    return this.#isKept
  }

  async all<Table extends keyof Tables>(table: Table): Promise<Tables[Table][]> {
    const kept = await this.#run(table, 'readonly', (store) => store.getAll() as IDBRequest<Tables[Table][]>).catch(
      () => [],
    )
    const rows = new Map(kept.map((row) => [keyOf(table, row), row]))
    for (const row of await this.#memory.all(table)) rows.set(keyOf(table, row), row)
    return [...rows.values()]
  }

  async put<Table extends keyof Tables>(table: Table, row: Tables[Table]): Promise<void> {
    try {
      await this.#run(table, 'readwrite', (store) => store.put(row))
      await this.#memory.delete(table, keyOf(table, row))
      this.#isKept = true
    } catch {
      this.#isKept = false
      await this.#memory.put(table, row)
    }
  }

  async delete(table: keyof Tables, key: string): Promise<void> {
    await this.#memory.delete(table, key)
    await this.#run(table, 'readwrite', (store) => store.delete(key)).catch(() => undefined)
  }

  /** Resolves when the transaction is on its way to the disk, not when the request is. */
  #run<T>(table: keyof Tables, mode: IDBTransactionMode, make: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(table, mode)
      const request = make(transaction.objectStore(table))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
      transaction.addEventListener('error', () => reject(transaction.error ?? new Error('failed')))
    })
  }
}

class MemoryStore implements Store {
  readonly isKept = false
  readonly #tables = { outbox: new Map<string, Outgoing>(), drafts: new Map<string, Draft>() }

  async all<Table extends keyof Tables>(table: Table): Promise<Tables[Table][]> {
    return [...this.#tables[table].values()] as Tables[Table][]
  }

  async put<Table extends keyof Tables>(table: Table, row: Tables[Table]): Promise<void> {
    ;(this.#tables[table] as Map<string, Tables[Table]>).set(keyOf(table, row), row)
  }

  async delete(table: keyof Tables, key: string): Promise<void> {
    this.#tables[table].delete(key)
  }
}

function keyOf<Table extends keyof Tables>(table: Table, row: Tables[Table]): string {
  return (row as unknown as Record<string, string>)[KEYS[table]]!
}
