import type pg from 'pg'

/** More migrations than this do not commit one after the other within one transaction's attempts. */
const TRIES_MAX = 20

type Callback = (error: unknown, ...more: unknown[]) => void

interface Named {
  text: string
  name: string
}

/**
 * Connections that prepare their named statements anew, under other names, once one of them has failed because a
 * migration changed what it returns. All connections of the class do: each would fail in turn. The text changes too,
 * since a pooler recognizes statements by it. Statements that name their columns never fail so: those of a release keep
 * their names beside the next one's schema.
 */
export function preparedAnew(Client: typeof pg.Client): typeof pg.Client {
  let generation = 0
  return class extends Client {
    override query(...given: unknown[]): never {
      const query = super.query as (...all: unknown[]) => unknown
      const [statement] = given
      if (!isNamed(statement)) return Reflect.apply(query, this, given) as never
      const at = generation
      const note = (error: unknown): void => {
        if (at === generation && isStalePlan(error)) generation += 1
      }
      if (at > 0) given[0] = { ...statement, name: `${statement.name}~${at}`, text: `${statement.text} /* ${at} */` }
      const last = given.length - 1
      const callback = given[last]
      // Pools ask by a callback.
      if (typeof callback === 'function') {
        given[last] = (error: unknown, ...more: unknown[]) => {
          note(error)
          ;(callback as Callback)(error, ...more)
        }
      }
      const answer = Reflect.apply(query, this, given)
      if (answer instanceof Promise) answer.catch(note)
      return answer as never
    }
  } as typeof pg.Client
}

function isNamed(given: unknown): given is Named {
  return typeof given === 'object' && given !== null && 'text' in given && Boolean((given as Partial<Named>).name)
}

/**
 * Tells whether a prepared statement returns other columns than when it was prepared. By the name of PostgreSQL's function:
 * the code stands for much else, and the message is in the server's language.
 */
function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/**
 * Repeats a statement or a transaction whose prepared statements a migration made stale. Nothing of it was done; the
 * connections prepare their statements anew, see {@link preparedAnew}.
 */
export async function withPlansAnew<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES_MAX || !isStalePlan(error)) throw error
    }
  }
}
