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
  parseUrl,
} from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'

/** The type of services by which users sign in (OpenID Connect). */
export const OIDC = 'oidc'

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

export interface OidcParams {
  issuer: string
  /** Absent while the application is not registered at the provider: nobody can sign in yet. */
  clientId?: string
  clientSecret?: string
  scopes?: string[]
  /** Domains of emails for which the provider speaks. */
  domains?: string[]
  roleMap?: RoleRow[]
  defaultRole?: GivenRole
  createUsers?: boolean
  syncRoles?: boolean
  maxSessionHours?: number
  /** True if the return address names the service: needed where the provider does not name itself in its answers (RFC 9207). */
  ownReturn: boolean
}

export const OIDC_PARAMS = [
  'issuer',
  'clientId',
  'clientSecret',
  'scopes',
  'domains',
  'roleMap',
  'defaultRole',
  'createUsers',
  'syncRoles',
  'maxSessionHours',
  'ownReturn',
] as const satisfies readonly (keyof OidcParams)[]

const ISSUER_CHARS_MAX = 500
const CLIENT_CHARS_MAX = 500
const SECRET_CHARS_MAX = 2_000
const [SCOPES_MAX, SCOPE] = [20, /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/] // RFC 6749, 3.3
const DOMAINS_MAX = 100
const ROWS_MAX = 200
const CHANNELS_MAX = 100
const CLAIM_CHARS_MAX = 200
const VALUE_CHARS_MAX = 500
/** A year. */
const HOURS_MAX = 8_760
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * Parses the params of a service of type `oidc`; what the provider itself says of them is examined beforehand.
 * @throws BadUserInput naming `params.<key>`
 */
export function readOidcParams(given: JsonObject, allowPrivate: boolean): OidcParams & JsonObject {
  const read = <T>(key: keyof OidcParams, parse: (value: unknown, field: string) => T): Partial<OidcParams> =>
    isAbsent(given[key]) ? {} : { [key]: parse(given[key], `params.${key}`) }
  const params: OidcParams = {
    issuer: parseIssuer(given.issuer, allowPrivate),
    ...read('clientId', (value, field) => parseToken(value, field, CLIENT_CHARS_MAX)),
    ...read('clientSecret', (value, field) => parseToken(value, field, SECRET_CHARS_MAX)),
    ...read('scopes', parseScopes),
    ...read('domains', parseDomains),
    ...read('roleMap', (value, field) =>
      parseList(value, field, ROWS_MAX).map((row, at) => parseRow(row, `${field}[${at}]`)),
    ),
    ...read('defaultRole', parseRole),
    ...read('createUsers', parseBoolean),
    ...read('syncRoles', parseBoolean),
    ...read('maxSessionHours', (value, field) => parseInteger(value, field, 1, HOURS_MAX)),
    ownReturn: isAbsent(given.ownReturn) ? true : parseBoolean(given.ownReturn, 'params.ownReturn'),
  }
  return params as OidcParams & JsonObject
}

/** Parses an issuer: https, but for one on this machine during development. @throws BadUserInput */
function parseIssuer(value: unknown, allowPrivate: boolean): string {
  const field = 'params.issuer'
  const text = parseUrl(parseText(value, field, { min: 1, max: ISSUER_CHARS_MAX }), field, ['https', 'http'])
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  const isHere = allowPrivate && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isPlain = search === '' && hash === '' && username === '' && password === '' && !/[?#]/.test(text)
  if (isPlain && (protocol === 'https:' || isHere)) return text
  throw mismatch(field, isPlain ? value : '…', 'must begin with https://, and have no user name, query or fragment')
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

function parseScopes(value: unknown, field: string): string[] {
  const scopes = parseList(value, field, SCOPES_MAX).map((each, at) => {
    if (typeof each === 'string' && SCOPE.test(each)) return each
    throw mismatch(`${field}[${at}]`, each, 'must be a scope without spaces')
  })
  return [...new Set(scopes)]
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

function parseToken(value: unknown, field: string, max: number): string {
  const text = parseText(value, field, { min: 1, max })
  // The value may be a secret.
  if (text.trim() === text && !/\p{Cc}/u.test(text)) return text
  throw new BadUserInput(field, `${field} must not begin or end with a space, nor hold control characters`)
}
