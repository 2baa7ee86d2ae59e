import { GraphQLError, isEnumType, isIntrospectionType, Kind, type GraphQLEnumType, type GraphQLSchema } from 'graphql'
import { quoteValue } from '../../platform/errors.js'

/**
 * Lets enums be given as the domain and REST write them as well (`"queued"`, `lastMessageAt`), and names what can be given
 * when something else is. Documents of before there was an enum in a place stay valid.
 */
export function readEnumsByText(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type) && !isIntrospectionType(type)) readByText(type)
  }
}

function readByText(type: GraphQLEnumType): void {
  const values = new Map<string, unknown>()
  for (const { name, value } of type.getValues()) {
    values.set(name, value)
    if (typeof value === 'string') values.set(value, value)
  }
  const names = type
    .getValues()
    .map(({ name }) => name)
    .join(', ')
  const read = (given: unknown, node?: Parameters<GraphQLEnumType['parseLiteral']>[0]): unknown => {
    if (typeof given === 'string' && values.has(given)) return values.get(given)
    const quoted = node?.kind === Kind.ENUM ? node.value : quoteValue(given)
    throw new GraphQLError(`${quoted} is not a ${type.name}; known are ${names}`, { nodes: node })
  }
  type.parseValue = (given) => read(given)
  type.parseLiteral = (node) => read('value' in node ? node.value : undefined, node)
}
