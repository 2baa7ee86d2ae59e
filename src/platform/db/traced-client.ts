import type pg from 'pg'
import { tracing, type TracedStatement } from '../tracing/tracing.js'

type Callback = (error: Error | null | undefined, result: unknown) => void

/** Connections whose statements are spans of the traces that they belong to, those of the ORM as well as our own. */
export function traced(Client: typeof pg.Client): typeof pg.Client {
  const traces = tracing()
  if (!traces.isOn) return Client
  return class extends Client {
    override query(...given: unknown[]): never {
      const query = super.query as (...all: unknown[]) => unknown
      const statement = statementOf(given[0])
      const span = statement && traces.statement(statement, this)
      if (!span) return Reflect.apply(query, this, given) as never
      const last = given.length - 1
      const callback = given[last]
      // Pools ask by a callback.
      if (typeof callback === 'function') {
        given[last] = (error: Error | null | undefined, result: unknown) => {
          span.end(error ?? undefined)
          ;(callback as Callback)(error, result)
        }
      }
      const answer = Reflect.apply(query, this, given)
      if (answer instanceof Promise) {
        answer.then(
          () => span.end(),
          (error: unknown) => span.end(error),
        )
      }
      return answer as never
    }
  } as typeof pg.Client
}

/** Null for what is no statement but sends some, as COPY does. */
function statementOf(given: unknown): TracedStatement | null {
  if (typeof given === 'string') return { text: given }
  const isStatement = typeof given === 'object' && given !== null && 'text' in given && !('submit' in given)
  return isStatement ? (given as TracedStatement) : null
}
