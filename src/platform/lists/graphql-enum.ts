import { registerEnumType } from 'type-graphql'

type Values = Readonly<Record<string, readonly [value: string, description: string]>>

/**
 * Creates a GraphQL enum. The domain, the database and REST write its values as the specification does.
 * @param values by name in GraphQL: the value and its description
 */
export function graphqlEnum<const Given extends Values>(
  name: string,
  description: string,
  values: Given,
): { readonly [Name in keyof Given]: Given[Name][0] } {
  const entries = Object.entries(values)
  const made = Object.fromEntries(entries.map(([key, [value]]) => [key, value]))
  const valuesConfig = Object.fromEntries(entries.map(([key, [, text]]) => [key, { description: text }]))
  registerEnumType(made, { name, description, valuesConfig })
  return made as { readonly [Name in keyof Given]: Given[Name][0] }
}
