import { X509Certificate } from 'node:crypto'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, mismatch, parseBoolean, parseList, parseText, parseUrl } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { PROVIDER_PARAMS, readAccountParams, readParam, type ProviderParams } from './provider-params.js'

/** The type of services by which users sign in by SAML 2.0. */
export const SAML = 'saml'

export interface SamlParams extends ProviderParams {
  signOnUrl: string
  /** The certificates, in PEM, by whose keys it may sign: two while one replaces the other. */
  certificates: string[]
  emailAttribute?: string
  nameAttribute?: string
  groupsAttribute?: string
  /** True if nobody but the provider decides about the emails of which it tells. */
  emailVerified?: boolean
  maxSessionHours: number
}

/** Params that a write may have in place of those that the metadata has; they are not stored. */
const IMPORTED = ['metadata', 'metadataUrl'] as const

export const SAML_PARAMS = [
  ...PROVIDER_PARAMS,
  'signOnUrl',
  'certificates',
  'emailAttribute',
  'nameAttribute',
  'groupsAttribute',
  'emailVerified',
  ...IMPORTED,
] as const

/** A provider that tells of no sign-out leaves a session open no longer than a day of work. */
const HOURS_DEFAULT = 12
const ENTITY_CHARS_MAX = 1_024 // SAML Core, 8.3.6
const URL_CHARS_MAX = 2_000
const ATTRIBUTE_CHARS_MAX = 200
export const CERTIFICATES_MAX = 10
const CERTIFICATE_CHARS_MAX = 16_384
const RSA_BITS_MIN = 2_048

/** Params that say whom to believe. All are absent while this server is not registered at the provider: nobody can sign in yet. */
const OF_PROVIDER = ['issuer', 'signOnUrl', 'certificates'] as const

/** Parses the params of a service of type `saml`. @throws BadUserInput naming `params.<key>` */
export function readSamlParams(given: JsonObject, allowPrivate: boolean): JsonObject {
  const isKnown = OF_PROVIDER.some((key) => !isAbsent(given[key]))
  const params: Omit<SamlParams, (typeof OF_PROVIDER)[number]> = {
    ...(isKnown && {
      issuer: parseEntity(given.issuer),
      signOnUrl: parseProviderUrl(given.signOnUrl, 'params.signOnUrl', allowPrivate),
      certificates: parseCertificates(given.certificates),
    }),
    ...readParam(given, 'emailAttribute', parseAttribute),
    ...readParam(given, 'nameAttribute', parseAttribute),
    ...readParam(given, 'groupsAttribute', parseAttribute),
    ...readParam(given, 'emailVerified', parseBoolean),
    maxSessionHours: HOURS_DEFAULT,
    ...readAccountParams(given),
  }
  return params as unknown as JsonObject
}

function parseEntity(value: unknown): string {
  const field = 'params.issuer'
  const text = parseText(value, field, { min: 1, max: ENTITY_CHARS_MAX })
  if (/^\S+$/u.test(text) && !/\p{Cc}/u.test(text)) return text
  throw mismatch(field, value, 'must be the entity id of the provider, without spaces')
}

/** Parses an address of the provider: https, but for one on this machine during development. @throws BadUserInput */
export function parseProviderUrl(value: unknown, field: string, allowPrivate: boolean): string {
  const text = parseUrl(parseText(value, field, { min: 1, max: URL_CHARS_MAX }), field, ['https', 'http'])
  const { protocol, hostname, username, password, hash } = new URL(text)
  const isHere = allowPrivate && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (username !== '' || password !== '' || hash !== '')
    throw new BadUserInput(field, `${field} must have no user name, password or fragment`)
  if (protocol === 'https:' || isHere) return text
  throw mismatch(field, value, 'must begin with https://')
}

function parseCertificates(value: unknown): string[] {
  const field = 'params.certificates'
  const all = parseList(value, field, CERTIFICATES_MAX).map((each, at) => parseCertificate(each, `${field}[${at}]`))
  if (all.length > 0) return [...new Set(all)]
  throw new BadUserInput(field, `${field} must have a certificate of the provider`)
}

/** Parses a certificate in PEM, or its base64 alone, as metadata have it. @returns it in PEM @throws BadUserInput */
function parseCertificate(value: unknown, field: string): string {
  const text = parseText(value, field, { min: 1, max: CERTIFICATE_CHARS_MAX }).trim()
  const body = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/.exec(text)?.[1] ?? text
  const base64 = body.replaceAll(/\s+/g, '')
  let certificate: X509Certificate | null = null
  try {
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) certificate = new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    // Said below.
  }
  if (!certificate) throw new BadUserInput(field, `${field} must be one X.509 certificate, in PEM or base64`)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
  const isStrong = type === 'ec' || (type === 'rsa' && (details?.modulusLength ?? 0) >= RSA_BITS_MIN)
  if (isStrong) return certificate.toString().trim()
  throw new BadUserInput(
    field,
    `${field} must have an RSA key of at least ${RSA_BITS_MIN} bits, or an EC key, not ${quoteValue(type)}`,
  )
}

function parseAttribute(value: unknown, field: string): string {
  const text = parseText(value, field, { min: 1, max: ATTRIBUTE_CHARS_MAX })
  if (text.trim() === text && !/\p{Cc}/u.test(text)) return text
  throw mismatch(field, value, 'must be the name of an attribute, letter by letter')
}
