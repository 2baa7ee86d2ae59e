import examples from './examples.json' with { type: 'json' }

/** One exchange with the server, as a test recorded it. */
export interface RecordedExchange {
  request?: unknown
  response?: unknown
}

/**
 * Bodies and answers by `operationId`, and an error by status. `test/rest-compat/examples.test.ts` records them from the
 * server and fails when they are no longer true; ids and times are replaced by stable ones.
 */
export const EXAMPLES: {
  operations: Readonly<Record<string, RecordedExchange>>
  errors: Readonly<Record<string, unknown>>
  /** By the name of the event. */
  webhooks: Readonly<Record<string, unknown>>
} = examples
