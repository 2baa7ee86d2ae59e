import { Unavailable } from '../errors.js'
import { isReadOnly, isRepeatable } from './sql-errors.js'

/** `begin_listening` is the only function that changes something by a select. */
const READ = /^\s*select\b(?!\s+begin_listening\b)/i

const READ_ONLY_MS = 100

/** Tells whether a statement of ours, outside of a transaction, changes nothing: it may be repeated. */
export function isRead(text: string): boolean {
  return READ.test(text)
}

/**
 * Repeats work whose connection was lost, until it has waited for `waitMs`.
 * @param isRepeatedSafely whether the work has changed nothing; asked after each failure
 */
export async function repeated<T>(
  work: () => Promise<T>,
  waitMs: number,
  isRepeatedSafely: () => boolean = () => true,
): Promise<T> {
  const until = performance.now() + waitMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      // An Unavailable has waited already.
      const isOver = error instanceof Unavailable || performance.now() >= until
      if (isOver || !isRepeatable(error) || !isRepeatedSafely()) throw error
      // Nothing else waits for a server that answers and takes no writes, as a pooler's may for a moment.
      if (isReadOnly(error)) await new Promise((resolve) => setTimeout(resolve, READ_ONLY_MS))
    }
  }
}

interface OrmConnection {
  execute(
    query: unknown,
    params?: unknown,
    method?: unknown,
    transaction?: unknown,
    ...more: unknown[]
  ): Promise<unknown>
}

/** Repeats reads of the ORM whose connection was lost, outside of transactions. */
export function repeatReads(connection: object, waitMs: number): void {
  const orm = connection as OrmConnection
  const execute = orm.execute.bind(orm)
  orm.execute = (query, params, method, transaction, ...more) => {
    const run = () => execute(query, params, method, transaction, ...more)
    const text = typeof query === 'string' ? query : (query as { sql?: unknown } | null)?.sql
    return transaction === undefined && typeof text === 'string' && isRead(text) ? repeated(run, waitMs) : run()
  }
}
