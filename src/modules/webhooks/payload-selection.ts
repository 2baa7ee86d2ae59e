import { GraphQLError, Kind, parse, type SelectionSetNode } from 'graphql'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseText } from '../../platform/input.js'
import { nearestNames } from '../../platform/nearest-names.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'

const QUERY_CHARS_MAX = 10_000
const TOKENS_MAX = 1_000
const DEPTH_MAX = 10
const NAME_CHARS_MAX = 100
const NEAREST_MAX = 3

/** The fields of a payload by name: those of a record, none of an id or a plain value, null for a value whose keys are not fixed. */
export interface PayloadFields {
  readonly [name: string]: PayloadFields | null
}

/**
 * Parses a registration's selection of the payload (`params.query`) in GraphQL syntax: fields, nested fields, aliases.
 * It selects from an event's recorded `data`; nothing is fetched, so there are no arguments, variables, fragments or
 * directives.
 * @param known the fields that the events of the registration have; null to accept any
 * @throws BadUserInput, also for a field that every delivery would hold as null
 */
export function parseSelection(value: unknown, field: string, known: PayloadFields | null = null): SelectionSetNode {
  const text = parseText(value, field, { min: 1, max: QUERY_CHARS_MAX })
  try {
    const { definitions } = parse(text, { maxTokens: TOKENS_MAX, noLocation: true })
    const [operation] = definitions
    const isQuery = operation?.kind === Kind.OPERATION_DEFINITION && operation.operation === 'query'
    if (!isQuery || definitions.length !== 1) throw new BadUserInput(field, `${field} must be one query`)
    if (operation.variableDefinitions?.length) throw new BadUserInput(field, `${field} must not have variables`)
    check(operation.selectionSet, { field, path: '', known, depthLeft: DEPTH_MAX })
    return operation.selectionSet
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new BadUserInput(field, `${field} is not a valid query: ${error.message}`)
  }
}

interface Place {
  field: string
  /** Path of the selected object in the payload; '' for the payload. */
  path: string
  known: PayloadFields | null
  depthLeft: number
}

function check(set: SelectionSetNode, { field, path, known, depthLeft }: Place): void {
  if (depthLeft === 0) throw new BadUserInput(field, `${field} is nested deeper than ${DEPTH_MAX}`)
  const keys = new Set<string>()
  for (const selection of set.selections) {
    if (selection.kind !== Kind.FIELD || selection.arguments?.length || selection.directives?.length) {
      throw new BadUserInput(field, `${field} may only contain fields and aliases`)
    }
    const name = selection.name.value
    const at = path === '' ? name : `${path}.${name}`
    const key = (selection.alias ?? selection.name).value
    // The last one would be delivered, without the others.
    if (keys.has(key))
      throw new BadUserInput(field, `${field} selects two fields as ${quoteValue(key)} at ${quoteValue(at)}`)
    keys.add(key)
    if (known && !Object.hasOwn(known, name)) {
      const nearest = nearestNames(name.slice(0, NAME_CHARS_MAX), Object.keys(known), NEAREST_MAX).join(', ')
      const choice = nearest === '' ? `${path} is an id or a plain value` : `the nearest are ${nearest}`
      throw new BadUserInput(
        field,
        `${field} selects ${quoteValue(at)}, which none of the webhook's events has; ${choice}`,
      )
    }
    if (!selection.selectionSet) continue
    check(selection.selectionSet, { field, path: at, known: known?.[name] ?? null, depthLeft: depthLeft - 1 })
  }
}

/** Returns the selected members of an object, or of each object in a list; null for missing ones, as in GraphQL. */
export function select(value: JsonValue, set: SelectionSetNode): JsonValue {
  if (Array.isArray(value)) return value.map((element) => select(element, set))
  if (!isPlainObject(value)) return value
  const selected: JsonObject = {}
  for (const field of set.selections) {
    if (field.kind !== Kind.FIELD) continue
    const { name, alias, selectionSet } = field
    const member = Object.hasOwn(value, name.value) ? (value as JsonObject)[name.value]! : null
    // Keys come from an administrator: `__proto__` must become an ordinary member.
    Object.defineProperty(selected, (alias ?? name).value, {
      value: selectionSet && member !== null ? select(member, selectionSet) : member,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return selected
}
