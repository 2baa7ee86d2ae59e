import { domainToASCII } from 'node:url'
import type { Role } from '../../platform/access/scopes.js'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import {
  isAbsent,
  mismatch,
  parseBoolean,
  parseFields,
  parseInteger,
  parseList,
  parseOneOf,
  parseText,
} from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'

/** The types of services by which users sign in. */
export const PROVIDER_TYPES: readonly string[] = ['oidc', 'saml']

/** Roles that a provider may give: an owner is made by owners alone, and a bot is no person. */
export const GIVEN_ROLES = ['viewer', 'agent', 'admin'] as const satisfies readonly Role[]
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** A row of the role map: who has the value in the claim gets the role, and becomes a member of the channels. */
export interface RoleRow {
  /** A claim, or the path to one within others: `realm_access.roles`. */
  claim: string
  value: string
  role: GivenRole
  channels: string[]
}

/** Params that providers of all types have. */
export interface ProviderParams {
  /** The provider, by its own name. */
  issuer: string
  /** Domains of emails for which the provider speaks. */
  domains?: string[]
  roleMap?: RoleRow[]
  defaultRole?: GivenRole
  createUsers?: boolean
  syncRoles?: boolean
  maxSessionHours?: number
}

export const PROVIDER_PARAMS = [
  'issuer',
  'domains',
  'roleMap',
  'defaultRole',
  'createUsers',
  'syncRoles',
  'maxSessionHours',
] as const satisfies readonly (keyof ProviderParams)[]

const DOMAINS_MAX = 100
const ROWS_MAX = 200
const CHANNELS_MAX = 100
const CLAIM_CHARS_MAX = 200
const VALUE_CHARS_MAX = 500
/** A year. */
const HOURS_MAX = 8_760
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Parses the params by which people get accounts and rights. @throws BadUserInput naming `params.<key>` */
export function readAccountParams(given: JsonObject): Omit<ProviderParams, 'issuer'> {
  return {
    ...readParam(given, 'domains', parseDomains),
    ...readParam(given, 'roleMap', (value, field) =>
      parseList(value, field, ROWS_MAX).map((row, at) => parseRow(row, `${field}[${at}]`)),
    ),
    ...readParam(given, 'defaultRole', parseRole),
    ...readParam(given, 'createUsers', parseBoolean),
    ...readParam(given, 'syncRoles', parseBoolean),
    ...readParam(given, 'maxSessionHours', (value, field) => parseInteger(value, field, 1, HOURS_MAX)),
  }
}

/** Parses a param, if it is given. */
export function readParam<K extends string, T>(
  given: JsonObject,
  key: K,
  parse: (value: unknown, field: string) => T,
): Partial<Record<K, T>> {
  return isAbsent(given[key]) ? {} : ({ [key]: parse(given[key], `params.${key}`) } as Record<K, T>)
}

/** Parses the name of a domain, also as people write it. @returns it as DNS has it @throws BadUserInput */
export function parseDomain(value: unknown, field: string): string {
  const text = parseText(value, field, { min: 1, max: 253 }).trim().toLowerCase().replace(/\.$/, '')
  const domain = domainToASCII(text)
  if (DOMAIN.test(domain)) return domain
  throw mismatch(field, value, 'must be a domain such as example.com')
}

function parseDomains(value: unknown, field: string): string[] {
  return [...new Set(parseList(value, field, DOMAINS_MAX).map((each, at) => parseDomain(each, `${field}[${at}]`)))]
}

function parseRow(value: unknown, field: string): RoleRow {
  // GraphQL passes instances of the input class.
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value
  const { claim, value: wanted, role, channels } = parseFields(plain, field, ['claim', 'value', 'role', 'channels'])
  const ids = isAbsent(channels) ? [] : parseList(channels, `${field}.channels`, CHANNELS_MAX)
  return {
    claim: parseClaim(claim, `${field}.claim`),
    value: parseText(wanted, `${field}.value`, { min: 1, max: VALUE_CHARS_MAX }),
    role: parseRole(role, `${field}.role`),
    channels: [
      ...new Set(
        ids.map((id, at) => {
          if (isId(id)) return id.toLowerCase()
          throw mismatch(`${field}.channels[${at}]`, id, 'must be an ID')
        }),
      ),
    ],
  }
}

/** A claim's name, or names with dots between. */
function parseClaim(value: unknown, field: string): string {
  const claim = parseText(value, field, { min: 1, max: CLAIM_CHARS_MAX })
  if (claim.trim() === claim && !/\p{Cc}/u.test(claim) && (isUrlLike(claim) || claim.split('.').every(Boolean)))
    return claim
  throw mismatch(field, value, 'must be the name of a claim, or a path such as realm_access.roles')
}

const isUrlLike = (claim: string): boolean => /^[a-z]+:\/\/|^urn:/.test(claim)

function parseRole(value: unknown, field: string): GivenRole {
  if (value === 'owner') {
    throw new BadUserInput(field, `${field} cannot be ${quoteValue(value)}: only an owner makes an owner`)
  }
  return parseOneOf(value, field, GIVEN_ROLES)
}
