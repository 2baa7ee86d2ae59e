import { Field, InputType, ObjectType } from 'type-graphql'
import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseText, pathOf } from '../../platform/input.js'
import { isPlainObject, parseJsonObject, type JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { parseEmailAddress, parseTelephone } from './identifiers.js'

const optional = { nullable: true } as const
const CUSTOM = {
  nullable: true,
  description: 'Additional keys as given; in `/v2` they appear next to the known ones.',
} as const

@InputType('ContactAddressInput')
@ObjectType('ContactAddress', { simpleResolvers: true, description: 'Postal address of a contact (2.11).' })
export class ContactAddress {
  @Field(() => String, optional) streetAddress?: string | null
  @Field(() => String, optional) streetNumber?: string | null
  @Field(() => String, optional) postalCode?: string | null
  @Field(() => String, optional) addressLocality?: string | null
  @Field(() => String, optional) addressRegion?: string | null
  @Field(() => String, optional) addressCountry?: string | null
  @Field(() => String, optional) city?: string | null
  @Field(() => JsonObjectScalar, CUSTOM) custom?: JsonObject | null
}

@InputType('ContactProfileInput', { description: 'Replaces the whole profile (section 1, PATCH).' })
@ObjectType('ContactProfile', {
  simpleResolvers: true,
  description: 'Profile of a contact; null means unknown (2.11).',
})
export class ContactProfile {
  @Field(() => String, { nullable: true, description: 'Full name; composed of the other names if not given.' })
  name?: string | null

  @Field(() => String, {
    nullable: true,
    description: "E.164; a national number is interpreted in the organization's country. Unique in the organization.",
  })
  telephone?: string | null

  @Field(() => String, { nullable: true, description: 'Email address in lower case. Unique in the organization.' })
  email?: string | null

  @Field(() => String, optional) givenName?: string | null
  @Field(() => String, optional) familyName?: string | null
  @Field(() => String, optional) additionalName?: string | null
  @Field(() => String, optional) honorificPrefix?: string | null
  @Field(() => String, optional) honorificSuffix?: string | null
  @Field(() => String, optional) gender?: string | null
  @Field(() => String, { nullable: true, description: 'Company of the contact.' }) worksFor?: string | null
  @Field(() => ContactAddress, optional) address?: ContactAddress | null
  @Field(() => JsonObjectScalar, CUSTOM) custom?: JsonObject | null
}

/** A stored profile: validated, without absent fields. Unknown keys are stored next to the known ones. */
export type StoredProfile = { [K in (typeof PROFILE_TEXTS)[number]]?: string } & {
  address?: { [K in (typeof ADDRESS_TEXTS)[number]]?: string }
}

export const PROFILE_TEXTS = [
  'name',
  'telephone',
  'email',
  'givenName',
  'familyName',
  'additionalName',
  'honorificPrefix',
  'honorificSuffix',
  'gender',
  'worksFor',
] as const satisfies readonly (keyof ContactProfile)[]
export const ADDRESS_TEXTS = [
  'streetAddress',
  'streetNumber',
  'postalCode',
  'addressLocality',
  'addressRegion',
  'addressCountry',
  'city',
] as const satisfies readonly (keyof ContactAddress)[]

export const PROFILE_FIELDS = [...PROFILE_TEXTS, 'address'] as const
const TEXT_CHARS_MAX = 250
const CUSTOM_KEYS_MAX = 50
const CUSTOM_LIMITS = { maxBytes: 8_192, maxDepth: 5 }

/**
 * Parses a profile sent by a client (2.11). Empty texts count as absent, since forms send them. Identifiers are
 * normalised; unknown keys are kept for the clients that use them.
 * @param country the organization's, for national telephone numbers; see `countryOf`
 * @throws BadUserInput naming the field that is not a text or not a valid identifier: `profile.address.city`
 */
export function parseProfile(value: unknown, field: string, country: string | null): StoredProfile {
  const { known, custom } = split(value, field, PROFILE_FIELDS)
  const { address: givenAddress, email, telephone, ...others } = known
  const profile: StoredProfile = { ...custom, ...parseTexts(others, field) }
  if (isGiven(email)) profile.email = parseEmailAddress(email, pathOf(field, 'email'))
  if (isGiven(telephone)) profile.telephone = parseTelephone(telephone, pathOf(field, 'telephone'), country)
  if (!isAbsent(givenAddress)) {
    const at = pathOf(field, 'address')
    const parts = split(givenAddress, at, ADDRESS_TEXTS)
    const address = { ...parts.custom, ...parseTexts(parts.known, at) }
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

/**
 * Splits a profile into known keys and others: next to the known ones in a stored profile, in `custom` from a client.
 * @throws BadUserInput
 */
function split<K extends string>(
  value: unknown,
  field: string,
  keys: readonly K[],
): { known: Partial<Record<K, unknown>>; custom: JsonObject } {
  // GraphQL provides instances of the input classes.
  const isKnown = (key: string): boolean => (keys as readonly string[]).includes(key)
  const isInput = value instanceof ContactProfile || value instanceof ContactAddress
  if (!isInput && !isPlainObject(value)) throw new BadUserInput(field, `${field} must be an object`)
  const { custom: more, ...entries } = isInput ? value : { custom: null, ...(value as ContactProfile) }
  const given = Object.entries(entries).filter(([, member]) => !isAbsent(member))
  const beside = isInput ? Object.entries(more ?? {}) : isAbsent(more) ? [] : [['custom', more] as const]
  const others = Object.fromEntries([...beside, ...given.filter(([key]) => !isKnown(key))])
  const custom = parseJsonObject(others, field, CUSTOM_LIMITS)
  const clash = keys.find((key) => Object.hasOwn(custom, key))
  if (clash)
    throw new BadUserInput(
      `${field}.custom.${clash}`,
      `${field}.custom.${clash} is a known key: send it outside of custom`,
    )
  if (Object.keys(custom).length > CUSTOM_KEYS_MAX) {
    throw new BadUserInput(
      field,
      `${field} has ${Object.keys(custom).length} unknown keys; at most ${CUSTOM_KEYS_MAX} are allowed`,
    )
  }
  const known = Object.fromEntries(given.filter(([key]) => isKnown(key))) as Partial<Record<K, unknown>>
  return { known, custom }
}

/** Returns the unknown keys of a stored profile or address; null if there are none. */
export function customOf(stored: object, keys: readonly string[]): JsonObject | null {
  const custom = Object.entries(stored as JsonObject).filter(([key]) => !keys.includes(key))
  return custom.length > 0 ? Object.fromEntries(custom) : null
}
