import { Field, getMetadataStorage, InputType } from 'type-graphql'

/** An enum that is registered with the schema: GraphQL's names, and the domain's text of each. */
export type EnumValues = Readonly<Record<string, string>>

const made = new Map<EnumValues, new () => object>()

/** Gives the typed filter of a field whose values are an enum's, named after it: one for all lists that have the enum. */
export function enumFilter(values: EnumValues): new () => object {
  let type = made.get(values)
  if (!type) made.set(values, (type = makeFilter(values)))
  return type
}

function makeFilter(values: EnumValues): new () => object {
  const registered = getMetadataStorage().enums.find(({ enumObj }) => enumObj === values)
  if (!registered) throw new Error(`an enum of ${Object.keys(values).join(', ')} is not registered`)
  const name = `${registered.name}Filter`
  const type = { [name]: class {} }[name]!
  const add = (thunk: () => object, key: string) =>
    Field(thunk as () => StringConstructor, { nullable: true })(type.prototype as object, key)
  add(() => values, 'eq')
  add(() => values, 'ne')
  add(() => [values], 'in')
  InputType(name, { description: 'All given conditions must hold. `null` is matched by `eq: null`.' })(type)
  return type
}
