import type { FieldSpecs } from '../record.js'
import { isDeletion, PUBLISHED_RECORDS, publishedIn } from './published-records.js'

/** The fields of a payload by name: those of a record, none of an id or a plain value, null for a value whose keys are not fixed. */
interface PayloadFields {
  readonly [name: string]: PayloadFields | null
}

/**
 * Returns the fields of the records of events, for checking what a webhook selects of them. What an event itself tells,
 * as of a record that was deleted, is not described here: null.
 */
export function payloadFields(events: readonly string[]): PayloadFields {
  const names = new Set(events.flatMap((event) => publishedIn(event)))
  return Object.fromEntries([...names].map((name) => [name, fieldsOfRecord(name, events)]))
}

function fieldsOfRecord(name: string, events: readonly string[]): PayloadFields | null {
  const record = PUBLISHED_RECORDS[name]
  const isTold = events.every((event) => event.startsWith(`${name}.`) && isDeletion(event))
  if (!record || isTold) return null
  const error = name === 'service' && events.includes('service.error') && { error: null }
  return { orgPath: {}, ...error, ...fieldsOf(record.fields) }
}

function fieldsOf(specs: FieldSpecs): PayloadFields {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      if (spec.kind === 'reference') return [name, {}]
      if (spec.kind === 'value') return [name, spec.isObject ? null : {}]
      return [name, Object.keys(spec.on).length > 0 ? null : fieldsOf(spec.fields)]
    }),
  )
}
