import { Field, InputType, ObjectType } from 'type-graphql'
import { isAbsent, parseFields, parseText } from '../../platform/input.js'

const optional = { nullable: true } as const

@InputType('LocationAddressInput', { description: 'Replaces the whole address (section 1, PATCH).' })
@ObjectType('LocationAddress', {
  simpleResolvers: true,
  description: "A postal address with the fields of a contact's address (2.11).",
})
export class LocationAddress {
  @Field(() => String, optional) streetAddress?: string | null
  @Field(() => String, optional) streetNumber?: string | null
  @Field(() => String, optional) postalCode?: string | null
  @Field(() => String, { nullable: true, description: 'The town.' }) addressLocality?: string | null
  @Field(() => String, optional) addressRegion?: string | null
  @Field(() => String, { nullable: true, description: 'Country, by its name or its code.' }) addressCountry?:
    | string
    | null
}

export const LOCATION_ADDRESS_FIELDS = [
  'streetAddress',
  'streetNumber',
  'postalCode',
  'addressLocality',
  'addressRegion',
  'addressCountry',
] as const satisfies readonly (keyof LocationAddress)[]

const TEXT_CHARS_MAX = 250

/** Removes blank fields; null when nothing is left. @throws BadUserInput naming the field: `address.postalCode` */
export function parseAddress(value: unknown, field: string): LocationAddress | null {
  if (isAbsent(value)) return null
  // GraphQL passes instances of the input class.
  const given = parseFields(value instanceof LocationAddress ? { ...value } : value, field, LOCATION_ADDRESS_FIELDS)
  const address: LocationAddress = {}
  for (const key of LOCATION_ADDRESS_FIELDS) {
    if (isAbsent(given[key])) continue
    const text = parseText(given[key], `${field}.${key}`, { max: TEXT_CHARS_MAX })
    if (text.trim() !== '') address[key] = text
  }
  return Object.keys(address).length > 0 ? address : null
}
