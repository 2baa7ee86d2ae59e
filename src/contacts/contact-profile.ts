import { Field, InputType, ObjectType } from 'type-graphql'
import { isAbsent, parseFields, parseText, pathOf } from '../input.js'
import { parseEmailAddress, parseTelephone } from './identifiers.js'

const optional = { nullable: true } as const

@InputType('ContactAddressInput')
@ObjectType('ContactAddress', { simpleResolvers: true, description: 'Where a contact lives or works (2.11).' })
export class ContactAddress {
  @Field(() => String, optional) streetAddress?: string | null
  @Field(() => String, optional) streetNumber?: string | null
  @Field(() => String, optional) postalCode?: string | null
  @Field(() => String, optional) addressLocality?: string | null
  @Field(() => String, optional) addressRegion?: string | null
  @Field(() => String, optional) addressCountry?: string | null
  @Field(() => String, optional) city?: string | null
}

@InputType('ContactProfileInput', { description: 'Replaces the whole profile (section 1, PATCH).' })
@ObjectType('ContactProfile', { simpleResolvers: true, description: 'Who a contact is; null is unknown (2.11).' })
export class ContactProfile {
  @Field(() => String, { nullable: true, description: 'If not given, composed of the other names.' })
  name?: string | null

  @Field(() => String, {
    nullable: true,
    description: "E.164; a national number is read as one of the organization's country. Unique in the organization.",
  })
  telephone?: string | null

  @Field(() => String, { nullable: true, description: 'In lower case. Unique in the organization.' })
  email?: string | null

  @Field(() => String, optional) givenName?: string | null
  @Field(() => String, optional) familyName?: string | null
  @Field(() => String, optional) additionalName?: string | null
  @Field(() => String, optional) honorificPrefix?: string | null
  @Field(() => String, optional) honorificSuffix?: string | null
  @Field(() => String, optional) gender?: string | null
  @Field(() => String, { nullable: true, description: 'A company.' }) worksFor?: string | null
  @Field(() => ContactAddress, optional) address?: ContactAddress | null
}

/** A profile as it is stored: checked, without absent fields. */
export type StoredProfile = { [K in Exclude<keyof ContactProfile, 'address'>]?: string } & {
  address?: { [K in keyof ContactAddress]?: string }
}

export const PROFILE_TEXTS = [
  'name', 'telephone', 'email', 'givenName', 'familyName', 'additionalName', 'honorificPrefix', 'honorificSuffix',
  'gender', 'worksFor',
] as const satisfies readonly (keyof ContactProfile)[]
export const ADDRESS_TEXTS = [
  'streetAddress', 'streetNumber', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry', 'city',
] as const satisfies readonly (keyof ContactAddress)[]

const PROFILE_FIELDS = [...PROFILE_TEXTS, 'address'] as const
const TEXT_CHARS_MAX = 250

/**
 * A profile from a client (2.11). Empty texts count as not given, as forms send them. The identifiers are normalised.
 * @param country of the organization, for national telephone numbers; see `countryOf`
 * @throws BadUserInput naming the field that is unknown, no text or no such identifier: `profile.address.city`
 */
export function parseProfile(value: unknown, field: string, country: string | null): StoredProfile {
  const given = parseFields(plain(value), field, PROFILE_FIELDS)
  const { address: givenAddress, email, telephone, ...others } = given
  const profile: StoredProfile = parseTexts(others, field)
  if (isGiven(email)) profile.email = parseEmailAddress(email, pathOf(field, 'email'))
  if (isGiven(telephone)) profile.telephone = parseTelephone(telephone, pathOf(field, 'telephone'), country)
  if (!isAbsent(givenAddress)) {
    const at = pathOf(field, 'address')
    const address = parseTexts(parseFields(plain(givenAddress), at, ADDRESS_TEXTS), at)
    if (Object.keys(address).length > 0) profile.address = address
  }
  const name = profile.name ?? composedName(profile)
  return name === undefined ? profile : { ...profile, name }
}

function composedName({ givenName, additionalName, familyName }: StoredProfile): string | undefined {
  return [givenName, additionalName, familyName].filter(Boolean).join(' ') || undefined
}

function parseTexts<K extends string>(given: Partial<Record<K, unknown>>, field: string): { [P in K]?: string } {
  const texts: { [P in K]?: string } = {}
  for (const [key, member] of Object.entries(given) as [K, unknown][]) {
    const text = parseText(member, pathOf(field, key), { max: TEXT_CHARS_MAX })
    if (text.trim() !== '') texts[key] = text
  }
  return texts
}

function isGiven(value: unknown): boolean {
  return !isAbsent(value) && !(typeof value === 'string' && value.trim() === '')
}

/** GraphQL hands over instances of the input classes; the readers of input take plain objects only. */
function plain(value: unknown): unknown {
  return value instanceof ContactProfile || value instanceof ContactAddress ? { ...value } : value
}
