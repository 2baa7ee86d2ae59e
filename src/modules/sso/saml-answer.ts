import {
  generateServiceProviderMetadata,
  SAML as Library,
  SamlStatusError,
  ValidateInResponseTo,
  type CacheProvider,
} from '@node-saml/node-saml'
import { Forbidden } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { samlIssuer } from '../sign-in-policy/password-login.js'
import { isBoundedXml } from './bounded-xml.js'
import { identityOf, type ProviderIdentity } from './provider-identity.js'
import type { SamlProvider } from './providers.js'
import { CLOCK_TOLERANCE_SECONDS } from './provider-clock.js'
import { attributeOf, childrenOf, textIn, type XmlNode } from './saml-metadata.js'
import { samlAddresses } from './sign-in-addresses.js'

/** A person, and the assertion that says so. */
export interface Asserted {
  identity: ProviderIdentity
  assertion: string
  /** Time after which the assertion is refused anyway. */
  endsAt: Date
}

/** Longest life of an assertion, whatever it says itself. */
const AGE_MS_MAX = 10 * 60_000
const SKEW_MS = CLOCK_TOLERANCE_SECONDS * 1_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const FORMATS = 'urn:oasis:names:tc:SAML:'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const MICROSOFT = 'http://schemas.microsoft.com'

/** Attributes by the names that providers give them where the settings say nothing. */
const ATTRIBUTES = {
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  name: ['name', 'displayName', 'urn:oid:2.16.840.1.113730.3.1.241', `${MICROSOFT}/identity/claims/displayname`],
  given_name: ['givenName', 'firstName', 'urn:oid:2.5.4.42', `${CLAIMS}/givenname`],
  family_name: ['sn', 'lastName', 'urn:oid:2.5.4.4', `${CLAIMS}/surname`],
  groups: ['groups', 'memberOf', `${MICROSOFT}/ws/2008/06/identity/claims/groups`],
  oid: [`${MICROSOFT}/identity/claims/objectidentifier`],
} as const

/** Claims that say more than any attribute may. */
const RESERVED: ReadonlySet<string> = new Set(['sub', 'email', 'email_verified', 'sid', 'amr', 'auth_time', 'oid'])

/** Returns the library as it asks one provider, and believes it. @param request id of the request */
export function samlLibrary(publicUrl: string, { id, params }: SamlProvider, request: string): Library {
  const { entity, consumer } = samlAddresses(publicUrl, id)
  return new Library({
    issuer: entity,
    audience: entity,
    callbackUrl: consumer,
    entryPoint: params.signOnUrl,
    idpIssuer: params.issuer,
    idpCert: params.certificates,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: AGE_MS_MAX,
    generateUniqueId: () => request,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(request),
  })
}

/** Describes this server, as providers import it. */
export function samlMetadata(publicUrl: string, service: string): string {
  const { entity: issuer, consumer: callbackUrl } = samlAddresses(publicUrl, service)
  return generateServiceProviderMetadata({
    issuer,
    callbackUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_metadata',
  })
}

/** Knows the one request that is answered: requests are stored as attempts, for all nodes. */
function onlyRequest(request: string): CacheProvider {
  return {
    saveAsync: (_key, value) => Promise.resolve({ value, createdAt: Date.now() }),
    getAsync: (key) => Promise.resolve(key === request ? new Date().toISOString() : null),
    removeAsync: () => Promise.resolve(null),
  }
}

/**
 * Reads a response, as the form of the browser has it, to a request. Whatever is not of the signed assertion is not believed.
 * @throws Forbidden `PROVIDER_REFUSED`, `PROVIDER_ANSWER_INVALID`
 */
export async function readAnswer(
  publicUrl: string,
  provider: SamlProvider,
  { response, request }: { response: string; request: string },
): Promise<Asserted> {
  refuseStrangeXml(response)
  const { profile } = await samlLibrary(publicUrl, provider, request)
    .validatePostResponseAsync({ SAMLResponse: response })
    .catch((error: unknown) => {
      if (error instanceof SamlStatusError) throw new Forbidden(`the provider refused: ${wordsOf(error)}`, REFUSED)
      throw invalid(wordsOf(error))
    })
  const [assertion] = childrenOf({ Assertion: [profile?.getAssertion?.().Assertion] }, 'Assertion')
  if (!assertion) throw invalid('it asserts nothing')
  const { consumer } = samlAddresses(publicUrl, provider.id)
  const endsAt = checkAssertion(assertion, { consumer, request, issuer: provider.params.issuer })
  const identity = identityIn(provider, assertion)
  if (!identity) throw invalid('it names nobody')
  return { identity, assertion: attributeOf(assertion, 'ID')!, endsAt }
}

const REFUSED = { reason: 'PROVIDER_REFUSED' } as const

function invalid(why: string): Forbidden {
  return new Forbidden(`the provider's answer cannot be believed: ${why}`, { reason: 'PROVIDER_ANSWER_INVALID' })
}

/** Words of the library, which may quote those of others, in one line. */
function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : 'no error').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
}

/**
 * Refuses what no provider sends, before any parser sees it: document types and entities, comments and CDATA, which split texts, and
 * processing instructions; and signatures by SHA-1. @throws Forbidden
 */
function refuseStrangeXml(response: string): void {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(response.replaceAll(/\s/g, ''))) throw invalid('it is not in base64')
  const xml = Buffer.from(response, 'base64').toString('utf8')
  if (xml.includes('<!')) throw invalid('it has a document type, a comment or CDATA')
  if (/<\?(?!xml\s)/.test(xml) || xml.lastIndexOf('<?') > 0) throw invalid('it has processing instructions')
  if (!isBoundedXml(xml)) throw invalid('it is no XML, or has over a thousand elements: state fewer groups')
  if (/xmldsig#(?:rsa-|dsa-|hmac-)?sha1/.test(xml)) throw invalid('it is signed by SHA-1: set SHA-256 at the provider')
  if (xml.includes('EncryptedAssertion')) throw invalid('its assertion is encrypted: switch that off at the provider')
}

/** Checks what the library does not. @returns when it ends */
function checkAssertion(
  assertion: XmlNode,
  { consumer, request, issuer }: { consumer: string; request: string; issuer: string },
): Date {
  if (!attributeOf(assertion, 'ID') || attributeOf(assertion, 'Version') !== '2.0')
    throw invalid('its version is another')
  if (childrenOf(assertion, 'Issuer').length !== 1 || textIn(childrenOf(assertion, 'Issuer')[0]) !== issuer)
    throw invalid('its issuer is another')
  const subjects = childrenOf(assertion, 'Subject')
  if (subjects.length !== 1) throw invalid('it has not one subject')
  if (childrenOf(assertion, 'Conditions').length !== 1) throw invalid('it has no conditions')
  const issued = timeOf(attributeOf(assertion, 'IssueInstant'))
  const now = Date.now()
  if (issued === null || issued > now + SKEW_MS || issued + AGE_MS_MAX + SKEW_MS < now)
    throw invalid('it was not issued now: are the clocks right?')
  for (const confirmation of childrenOf(subjects[0], 'SubjectConfirmation')) {
    if (attributeOf(confirmation, 'Method') !== BEARER) continue
    const [data] = childrenOf(confirmation, 'SubjectConfirmationData')
    const ends = timeOf(attributeOf(data, 'NotOnOrAfter'))
    // SAML Profiles, 4.1.4.2: a bearer may be confirmed at no time before, and only to whom it is addressed.
    if (attributeOf(data, 'Recipient') !== consumer || attributeOf(data, 'InResponseTo') !== request) continue
    if (attributeOf(data, 'NotBefore') !== null || ends === null || ends + SKEW_MS <= now) continue
    return new Date(Math.max(issued, now) + AGE_MS_MAX + 2 * SKEW_MS)
  }
  throw invalid('it confirms nobody to this address, for this attempt and now')
}

function timeOf(text: string | null): number | null {
  const at = text === null ? NaN : Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** Reads the person: the name id, and attributes as claims. @returns null if nobody is named for good */
function identityIn(provider: SamlProvider, assertion: XmlNode): ProviderIdentity | null {
  const { params } = provider
  const [name, second] = childrenOf(childrenOf(assertion, 'Subject')[0], 'NameID')
  if (!name || second) return null
  const format = attributeOf(name, 'Format') ?? ''
  if (format.startsWith(FORMATS) && format.endsWith(':transient'))
    throw invalid('its name id is transient, another one at each sign-in: set a persistent one, or the email')
  const attributes = attributesOf(assertion)
  const find = (key: keyof typeof ATTRIBUTES, own?: string): string | string[] | undefined =>
    (own === undefined ? ATTRIBUTES[key] : [own]).map((each) => attributes.get(each)).find((each) => each !== undefined)
  const one = (found: string | string[] | undefined): string | undefined => (Array.isArray(found) ? found[0] : found)
  const subject = textIn(name)
  const isEmail = format.startsWith(FORMATS) && format.endsWith(':emailAddress')
  const known = {
    sub: subject,
    email: one(find('email', params.emailAttribute)) ?? (isEmail ? subject : undefined),
    email_verified: params.emailVerified === true,
    name: one(find('name', params.nameAttribute)),
    given_name: one(find('given_name')),
    family_name: one(find('family_name')),
    groups: [find('groups', params.groupsAttribute) ?? []].flat(),
    oid: one(find('oid')),
    auth_time: secondsOf(attributeOf(childrenOf(assertion, 'AuthnStatement')[0], 'AuthnInstant')),
  }
  const others = [...attributes].filter(([key]) => !RESERVED.has(key))
  const given = Object.entries(known).filter(([, value]) => value !== undefined && value !== null)
  const claims = Object.fromEntries([...others, ...given]) as JsonObject
  return identityOf(samlIssuer(provider.id, params.issuer), claims, null)
}

function attributesOf(assertion: XmlNode): Map<string, string | string[]> {
  const all = new Map<string, string[]>()
  const found = childrenOf(assertion, 'AttributeStatement').flatMap((each) => childrenOf(each, 'Attribute'))
  for (const attribute of found) {
    const name = attributeOf(attribute, 'Name')
    const values = childrenOf(attribute, 'AttributeValue').flatMap((each) => textIn(each) ?? [])
    // PostgreSQL stores neither; the answer is stored until the browser comes.
    if ([name ?? '', ...values].some((each) => UNSTORABLE.test(each))) throw invalid('an attribute has no text')
    if (name !== null) all.set(name, [...(all.get(name) ?? []), ...values])
  }
  return new Map([...all].filter(([, [first]]) => first !== undefined).map(([k, v]) => [k, v.length === 1 ? v[0]! : v]))
}

/** U+0000, and halves of surrogate pairs. */
const UNSTORABLE = /\0|\p{Cs}/u

function secondsOf(text: string | null): number | undefined {
  const at = timeOf(text)
  return at === null ? undefined : Math.floor(at / 1_000)
}
