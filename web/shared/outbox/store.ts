import type { Outgoing } from './outgoing.js'
import { openSeal, type Seal, type Sealed } from './seal.js'

/** Fields above a mail as they were typed: lists of addresses with commas between them, and the subject. */
export interface MailHead {
  to: string
  cc: string
  bcc: string
  subject: string
}

/** Texts that were written and not sent, by conversation. */
export interface Draft {
  /** `user conversation`. */
  key: string
  text: string
  isNote: boolean
  /** Absent for what goes to the contact alone. */
  mail?: MailHead
  /** Suggestion of a bot that was taken into it: the message names it, so that the server knows what became of it. */
  proposal?: string
  at: number
  /** The server has it as it is here. */
  isSaved?: boolean
  /** It was sent, and held: others had written or done something meanwhile. */
  isHeld?: boolean
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

/**
 * IndexedDB, or memory where it is not to be had: a private window, a full disk.
 * @param secret the user's, from the server: whoever uses this browser next cannot read what the user left in it
 */
export async function openStore(secret: string, user: string): Promise<Store> {
  const [database, seal] = await Promise.all([openDatabase().catch(() => null), openSeal(secret)])
  if (!database) return new MemoryStore()
  const store = new KeptStore(database, seal)
  void store.sealLeft(user).catch(() => undefined)
  return store
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
  /** Keeps in memory also what could not be written, as on a full disk. */
  readonly #memory = new MemoryStore()
  #isKept = true

  constructor(
    private readonly database: IDBDatabase,
    private readonly seal: Seal | null,
  ) {}

  get isKept(): boolean {
    return this.#isKept
  }

  async all<Table extends keyof Tables>(table: Table): Promise<Tables[Table][]> {
    const kept = await this.#kept(table)
      .catch(() => [])
      .then((found) =>
        Promise.all(found.map(async (row) => ('box' in row ? await this.seal?.open<Tables[Table]>(row) : row))),
      )
    const rows = new Map<string, Tables[Table]>()
    for (const row of kept) if (row) rows.set(keyOf(table, row as Tables[Table]), row as Tables[Table])
    for (const row of await this.#memory.all(table)) rows.set(keyOf(table, row), row)
    return [...rows.values()]
  }

  async put<Table extends keyof Tables>(table: Table, row: Tables[Table]): Promise<void> {
    try {
      await this.#run(table, 'readwrite', (store) => store.put(row))
      await this.#memory.delete(table, keyOf(table, row))
      this.#isKept = true
      void this.#close(table, row).catch(() => undefined)
    } catch {
      this.#isKept = false
      await this.#memory.put(table, row)
    }
  }

  async delete(table: keyof Tables, key: string): Promise<void> {
    await this.#memory.delete(table, key)
    await this.#run(table, 'readwrite', (store) => store.delete(key)).catch(() => undefined)
  }

  /** Pages that were left right after something was written had no time to seal it. */
  async sealLeft(user: string): Promise<void> {
    for (const row of await this.#kept('outbox')) if ('id' in row && row.user === user) await this.#close('outbox', row)
    for (const row of await this.#kept('drafts'))
      if ('text' in row && row.key.startsWith(`${user} `)) await this.#close('drafts', row)
  }

  #kept<Table extends keyof Tables>(table: Table): Promise<(Tables[Table] | Sealed)[]> {
    return this.#run(table, 'readonly', (store) => store.getAll() as IDBRequest<(Tables[Table] | Sealed)[]>)
  }

  /**
   * Replaces what was just written by its sealed form, unless it has changed. Written as it is first, since a page that is
   * being left has no time for more.
   */
  async #close<Table extends keyof Tables>(table: Table, row: Tables[Table]): Promise<void> {
    const sealed = await this.seal?.close(row)
    if (!sealed) return
    const key = keyOf(table, row)
    const written = JSON.stringify(row)
    await this.#run(table, 'readwrite', (store) => {
      const request = store.get(key)
      request.addEventListener('success', () => {
        if (JSON.stringify(request.result) === written) store.put({ [KEYS[table]]: key, ...sealed })
      })
      return request
    })
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
