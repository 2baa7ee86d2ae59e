import { Field, ID, InputType } from 'type-graphql'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseList, parseText, parseWebAddress, refuseCleared } from '../../platform/input.js'
import { isId } from '../../platform/db/clock.js'
import { parseMeta, replaceMeta, type JsonObject } from '../../platform/json.js'
import { parseTimezone } from '../../platform/timezone.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import type { Organization, OrganizationCategory } from './organization.js'
import { parseProfileFields } from './profile-fields.js'

const optional = { nullable: true } as const

@InputType()
export class OrganizationCategoryInput {
  @Field(() => String, { description: 'Unique in the organization.' })
  name!: string

  @Field(() => [ID], {
    nullable: true,
    description: 'Ids of forms of the organization, of one below it, or shared with it (4.3).',
  })
  forms?: string[] | null
}

@InputType()
export abstract class OrganizationFieldsInput {
  @Field(() => String, optional) name?: string
  @Field(() => String, { nullable: true, description: 'Name shown in the agent UI.' }) displayName?: string | null
  @Field(() => String, optional) url?: string | null
  @Field(() => String, optional) email?: string | null
  @Field(() => String, optional) industry?: string | null
  @Field(() => String, { nullable: true, description: 'Address of an image, for display.' }) logo?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Two-letter country code; NL, DE and CH select the default labels of `profileFields`.',
  })
  country?: string | null

  @Field(() => String, { nullable: true, description: 'Locale such as `nl` or `nl_NL`.' }) locale?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone of the days of reports and wallboards, such as `Europe/Amsterdam`.',
  })
  timezone?: string | null
  @Field(() => [String], optional) stopwords?: string[] | null
  @Field(() => [OrganizationCategoryInput], optional) categories?: OrganizationCategoryInput[] | null
  @Field(() => [String], { nullable: true, description: 'Bot commands shown to agents.' }) commands?: string[] | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'Contact profile fields (`givenName`, `address.postalCode` …) to `{label, enabled}`; others are ' +
      'hidden. `null` shows all with default labels.',
  })
  profileFields?: JsonObject | null

  @Field(() => [String], {
    nullable: true,
    description: 'Resource sharing tags; set by administrators of level 1 (4.3).',
  })
  tags?: string[] | null
  @Field(() => JsonObjectScalar, optional) meta?: JsonObject | null
}

@InputType({
  description:
    'Changes of an organization. Only the given keys change; `null` clears. Parent, path and level cannot be changed.',
})
export class UpdateOrganizationInput extends OrganizationFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new organization (2.4).' })
export class CreateOrganizationInput extends OrganizationFieldsInput {
  @Field(() => String)
  declare name: string

  @Field(() => ID, {
    nullable: true,
    description: "Parent, one level above the new organization; defaults to the caller's.",
  })
  parent?: string | null
}

const NAME_CHARS_MAX = 200
const TEXT_CHARS_MAX = 1_000
const LIST_MAX = 500
const CATEGORIES_MAX = 200
const FORMS_MAX = 100

type Writable = Exclude<keyof UpdateOrganizationInput, 'meta' | 'ifVersion'>
type Parsers = { [K in Writable]-?: (value: unknown, field: K) => Organization[K] }

const text = (value: unknown, field: string): string => parseText(value, field, { max: TEXT_CHARS_MAX })
const name = (value: unknown, field: string): string => parseText(value, field, { max: NAME_CHARS_MAX })

const PARSERS: Parsers = {
  name: parseName,
  displayName: name,
  url: parseAddress,
  email: text,
  industry: text,
  logo: parseAddress,
  country: parseCountry,
  locale: parseLocale,
  timezone: parseTimezone,
  stopwords: parseWords,
  categories: parseCategories,
  commands: parseWords,
  profileFields: parseProfileFields,
  tags: parseWords,
}

/** Parses a record's name: required, not blank. @throws BadUserInput */
export function parseName(value: unknown, field: string): string {
  const parsed = parseText(value, field, { min: 1, max: NAME_CHARS_MAX })
  if (parsed.trim() === '') throw new BadUserInput(field, `${field} must not be blank`)
  return parsed
}

/**
 * Parses the given fields; omits those that are `undefined`.
 * @param stored the metadata that a patch replaces: the system's keys stay
 * @throws BadUserInput naming field and value
 */
export function readOrganizationInput(
  input: UpdateOrganizationInput,
  stored: JsonObject | null = null,
): Partial<Organization> {
  refuseCleared(input, 'name')
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(PARSERS) as Writable[]) {
    const value = input[key]
    if (value === undefined) continue
    fields[key] = value === null ? null : (PARSERS[key] as (value: unknown, field: string) => unknown)(value, key)
  }
  if (input.meta !== undefined) fields.meta = readMeta(input.meta, stored)
  return fields
}

function readMeta(value: JsonObject | null, stored: JsonObject | null): JsonObject | null {
  const meta = stored ? replaceMeta(stored, value, 'meta') : parseMeta(value, 'meta')
  return value === null && Object.keys(meta).length === 0 ? null : meta
}

/** The server only stores it, but a console may make a link or an image of it. */
function parseAddress(value: unknown, field: string): string {
  return parseWebAddress(text(value, field), field)
}

function parseCountry(value: unknown, field: string): string {
  const country = text(value, field)
  if (/^[a-z]{2}$/i.test(country)) return country.toUpperCase()
  throw new BadUserInput(field, `${field} must be a two-letter country code, not ${quoteValue(value)}`)
}

function parseLocale(value: unknown, field: string): string {
  const locale = text(value, field)
  if (/^[a-z]{2,3}([_-][a-z]{2})?$/i.test(locale)) return locale
  throw new BadUserInput(field, `${field} must be a locale such as nl or nl_NL, not ${quoteValue(value)}`)
}

function parseWords(value: unknown, field: string): string[] {
  return parseList(value, field, LIST_MAX).map((word, index) => parseName(word, `${field}[${index}]`))
}

function parseCategories(value: unknown, field: string): OrganizationCategory[] {
  const given = parseList(value, field, CATEGORIES_MAX) as OrganizationCategoryInput[]
  const names = new Set<string>()
  return given.map((category, index) => {
    const at = `${field}[${index}]`
    const parsed = parseName(category.name, `${at}.name`)
    if (names.has(parsed)) throw new BadUserInput(`${at}.name`, `${at}.name ${quoteValue(parsed)} is given twice`)
    names.add(parsed)
    return { name: parsed, forms: parseIds(category.forms, `${at}.forms`) }
  })
}

function parseIds(value: unknown, field: string): string[] {
  if (isAbsent(value)) return []
  return parseList(value, field, FORMS_MAX).map((id, index) => {
    if (isId(id)) return id.toLowerCase()
    throw new BadUserInput(`${field}[${index}]`, `${field}[${index}] ${quoteValue(id)} is not an id`)
  })
}
