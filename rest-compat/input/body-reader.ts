import { getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql'
import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import type { FieldSpecs } from '../record.js'
import { inputReader, isObject, keyPath, mismatch, restFields, unknownKey } from './input-reader.js'

/** Plan by which a body becomes variables: some of its keys are variables, the rest is one input object. */
export interface BodyPlan {
  /** Body key to its variable. */
  keys: ReadonlyMap<string, BodyVariable>
  /** The variable for the rest of the body, or all of it. */
  rest: BodyVariable | null
  /** Fields of the record that the request is about; those not in the input are not unknown. */
  recordFields: FieldSpecs
  /** Keys that are accepted and ignored. */
  unused: ReadonlySet<string>
}

export interface BodyVariable {
  variable: string
  type: GraphQLInputType
}

export interface BodyOptions {
  /** The record named by the path, which the body must not contradict. */
  recordId?: string
  /** Collects the paths of unknown keys; without it they are refused. */
  ignored?: string[]
}

export type BodyReader = (body: unknown, options?: BodyOptions) => Record<string, unknown>

/**
 * Compiles a body plan. Clients send back whole records, so keys set by the server (`id`, `createdAt`, …) are ignored.
 * Other fields of the record that the input does not have (`status` of a conversation) are ignored if the body is a
 * whole record, recognized by its `id`; otherwise they are refused, since the client would believe that it changed
 * them.
 */
export function bodyReader(plan: BodyPlan): BodyReader {
  const rest = plan.rest && getNullableType(plan.rest.type)
  if (rest && !isInputObjectType(rest)) return wholeReader(plan.rest!, isListType(rest))
  const ownFields = rest ? restFields(rest).map(([name]) => name) : []
  const restKeys = new Set(ownFields)
  const known = [...plan.keys.keys(), ...ownFields]
  return (body, { recordId, ignored } = {}) => {
    const given = checkedObject(body)
    const isWholeRecord = checkOwnId(given, recordId)
    const variables: Record<string, unknown> = {}
    const picked: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(given)) {
      if (plan.keys.has(key) || plan.unused.has(key)) continue
      if (restKeys.has(key)) picked[key] = value
      else if (ignored) ignored.push(key)
      else checkIgnored(plan.recordFields, key, isWholeRecord, known)
    }
    for (const [key, { variable, type }] of plan.keys) {
      const value = inputReader(type)(Object.hasOwn(given, key) ? given[key] : undefined, key, ignored)
      if (value !== undefined) variables[variable] = value
    }
    if (plan.rest) variables[plan.rest.variable] = inputReader(plan.rest.type)(picked, '', ignored)
    return variables
  }
}

/** Reads a list, or a JSON object that is passed unchanged. */
function wholeReader({ variable, type }: BodyVariable, isList: boolean): BodyReader {
  const read = inputReader(type)
  return (body, { ignored } = {}) => {
    if (isList && !Array.isArray(body)) throw mismatch('', 'a list', body)
    return { [variable]: isList ? read(body, variable, ignored) : read(checkedObject(body), '', ignored) }
  }
}

function checkedObject(body: unknown): Record<string, unknown> {
  if (body === undefined)
    throw new BadUserInput('body', 'the body is missing; it must be a JSON object', 'MISSING_VALUE')
  if (!isObject(body)) throw mismatch('', 'an object', body)
  return body
}

function checkOwnId(given: Record<string, unknown>, recordId: string | undefined): boolean {
  if (!Object.hasOwn(given, 'id')) return false
  const { id, _id: exported } = given
  // A workflow is also found by its `_id` (2.7).
  if (recordId !== undefined && recordId !== 'me' && id !== recordId && exported !== recordId) {
    throw new BadUserInput('id', `id ${quoteValue(id)} differs from the id in the path`)
  }
  return true
}

function checkIgnored(fields: FieldSpecs, key: string, isWholeRecord: boolean, known: readonly string[]): void {
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!field) throw unknownKey('', key, known)
  if (field.serverMade || isWholeRecord) return
  const at = keyPath('', key)
  throw new BadUserInput(at, `${at} cannot be set here; fields that can: ${known.join(', ')}`)
}
