import { GraphQLError, Kind, parse, type SelectionSetNode } from 'graphql'
import { BadUserInput } from '../errors.js'
import { parseText } from '../input.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../json.js'

const QUERY_CHARS_MAX = 10_000
const TOKENS_MAX = 1_000
const DEPTH_MAX = 10

/**
 * Parses a registration's selection of the payload (`params.query`) in GraphQL syntax: fields, nested fields, aliases.
 * It selects from an event's recorded `data`; nothing is fetched, so there are no arguments, variables, fragments or
 * directives.
 * @throws BadUserInput
 */
export function parseSelection(value: unknown, field: string): SelectionSetNode {
  const text = parseText(value, field, { min: 1, max: QUERY_CHARS_MAX })
  try {
    const { definitions } = parse(text, { maxTokens: TOKENS_MAX, noLocation: true })
    const [operation] = definitions
    const isQuery = operation?.kind === Kind.OPERATION_DEFINITION && operation.operation === 'query'
    if (!isQuery || definitions.length !== 1) throw new BadUserInput(field, `${field} must be one query`)
    if (operation.variableDefinitions?.length) throw new BadUserInput(field, `${field} must not have variables`)
    check(operation.selectionSet, field, DEPTH_MAX)
    return operation.selectionSet
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new BadUserInput(field, `${field} is not a valid query: ${error.message}`)
  }
}

function check(set: SelectionSetNode, field: string, depthLeft: number): void {
  if (depthLeft === 0) throw new BadUserInput(field, `${field} is nested deeper than ${DEPTH_MAX}`)
  for (const selection of set.selections) {
    if (selection.kind !== Kind.FIELD || selection.arguments?.length || selection.directives?.length) {
      throw new BadUserInput(field, `${field} may only contain fields and aliases`)
    }
    if (selection.selectionSet) check(selection.selectionSet, field, depthLeft - 1)
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
