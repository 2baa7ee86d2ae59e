/**
 * Refusals for now, by a bound that protects the others, in the server's words. They are not faults, since the server says so and
 * when to come back; whatever else is unavailable is one.
 */
export const BOUNDS: readonly string[] = [
  'too many concurrent requests of this kind',
  'too much data is being sent at once',
  'too many writes are waiting',
  'too many requests wait for the database',
]

/** An answer as it is counted: by its status, or as a refusal by a bound. */
export interface Outcome {
  /** HTTP's, or what it would be. */
  status: number
  bound?: string
}

/** Counts 503 as a refusal if it names a bound and says when to come back. */
export function outcomeOf(status: number, isRetryable: boolean, text: string): Outcome {
  const bound = status === 503 && isRetryable ? BOUNDS.find((words) => text.includes(words)) : undefined
  return { status, ...(bound !== undefined && { bound }) }
}

/** An error of GraphQL as clients see it. */
export interface GraphqlError {
  message: string
  extensions?: { code?: string; retryAfterSeconds?: number }
}

/**
 * GraphQL answers 200 also with errors; what counts is what they say.
 * @param status of those that only refuse what was asked
 */
export function outcomeOfErrors(errors: readonly GraphqlError[], status = 400): Outcome {
  if (errors.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR')) return { status: 500 }
  const refusals = errors
    .filter(({ extensions }) => extensions?.code === 'UNAVAILABLE')
    .map(({ message, extensions }) => outcomeOf(503, extensions?.retryAfterSeconds !== undefined, message))
  const isLimited = errors.some(({ extensions }) => extensions?.code === 'RATE_LIMITED')
  return refusals.find(({ bound }) => bound === undefined) ?? refusals[0] ?? { status: isLimited ? 429 : status }
}
