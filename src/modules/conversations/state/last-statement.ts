import type { JsonObject } from '../../../platform/json.js'

/**
 * A statement that runs after all other writes of a transaction. With a `row` in place of values it writes rows of all operations
 * at once, as JSON in its only parameter.
 */
export type LastStatement = { text: string } & ({ values: unknown[] } | { row: JsonObject })
