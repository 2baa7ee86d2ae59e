import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, mismatch, parseBoolean, parseList, parseText, parseUrl } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { PROVIDER_PARAMS, readAccountParams, readParam, type ProviderParams } from './provider-params.js'

/** The type of services by which users sign in (OpenID Connect). */
export const OIDC = 'oidc'

export interface OidcParams extends ProviderParams {
  /** Absent while the application is not registered at the provider: nobody can sign in yet. */
  clientId?: string
  clientSecret?: string
  scopes?: string[]
  /** True if the return address names the service: needed where the provider does not name itself in its answers (RFC 9207). */
  ownReturn: boolean
}

export const OIDC_PARAMS = [...PROVIDER_PARAMS, 'clientId', 'clientSecret', 'scopes', 'ownReturn'] as const

const ISSUER_CHARS_MAX = 500
const CLIENT_CHARS_MAX = 500
const SECRET_CHARS_MAX = 2_000
const [SCOPES_MAX, SCOPE] = [20, /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/] // RFC 6749, 3.3

/**
 * Parses the params of a service of type `oidc`; what the provider itself says of them is examined beforehand.
 * @throws BadUserInput naming `params.<key>`
 */
export function readOidcParams(given: JsonObject, allowPrivate: boolean): OidcParams & JsonObject {
  const params: OidcParams = {
    issuer: parseIssuer(given.issuer, allowPrivate),
    ...readParam(given, 'clientId', (value, field) => parseToken(value, field, CLIENT_CHARS_MAX)),
    ...readParam(given, 'clientSecret', (value, field) => parseToken(value, field, SECRET_CHARS_MAX)),
    ...readParam(given, 'scopes', parseScopes),
    ...readAccountParams(given),
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

function parseScopes(value: unknown, field: string): string[] {
  const scopes = parseList(value, field, SCOPES_MAX).map((each, at) => {
    if (typeof each === 'string' && SCOPE.test(each)) return each
    throw mismatch(`${field}[${at}]`, each, 'must be a scope without spaces')
  })
  return [...new Set(scopes)]
}

function parseToken(value: unknown, field: string, max: number): string {
  const text = parseText(value, field, { min: 1, max })
  // The value may be a secret.
  if (text.trim() === text && !/\p{Cc}/u.test(text)) return text
  throw new BadUserInput(field, `${field} must not begin or end with a space, nor hold control characters`)
}
