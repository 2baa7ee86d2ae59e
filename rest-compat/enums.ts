import type { GraphQLEnumType } from 'graphql'

/** An enum's values: upper-case names in GraphQL, the specification's text (`text/plain`, `queued`) in REST. */
export interface RestEnum {
  /** GraphQL name to REST text. */
  textOf: ReadonlyMap<string, string>
  /** REST text to GraphQL name. */
  nameOf: ReadonlyMap<string, string>
}

/** Further texts in the specification for a value, by the enum's name. */
const ALSO: Readonly<Record<string, readonly (readonly [text: string, name: string])[]>> = {
  MessageType: [['comment', 'MENTION']], // 2.9
}

const known = new WeakMap<GraphQLEnumType, RestEnum>()

/** The REST text of a value is its value in the domain, which is the specification's. */
export function restEnum(type: GraphQLEnumType): RestEnum {
  let found = known.get(type)
  if (!found) {
    const pairs = type
      .getValues()
      .map(({ name, value }) => [name, typeof value === 'string' ? value : name.toLowerCase()] as const)
    const names = pairs.map(([name, text]) => [text, name] as const)
    found = { textOf: new Map(pairs), nameOf: new Map([...names, ...(ALSO[type.name] ?? [])]) }
    known.set(type, found)
  }
  return found
}
