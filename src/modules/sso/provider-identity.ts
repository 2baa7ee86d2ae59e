import { domainToASCII } from 'node:url'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'

/** A person, as far as the words of a provider are believed. */
export interface ProviderIdentity {
  issuer: string
  subject: string
  /** Null if there is none that could be a user's. */
  email: string | null
  /** True if the provider says that the email is this person's. */
  isEmailVerified: boolean
  name: { displayName: string | null; givenName: string | null; familyName: string | null }
  sid: string | null
  amr: string[] | null
  authTime: Date | null
  /** All claims, for the role map and a trial; null where they are too large to be kept. */
  claims: JsonObject
}

const [SUBJECT_CHARS_MAX, SID_CHARS_MAX] = [255, 255]
const [EMAIL_CHARS_MAX, NAME_CHARS_MAX] = [254, 200]
const AMR_MAX = 20
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * Reads the claims of an ID token, and those of the userinfo endpoint, which says the same user's. Of what both have, the token's
 * counts: it is signed. An email and its proof are taken from one of them.
 * @returns null for a subject that is none
 */
export function identityOf(issuer: string, token: JsonObject, info: JsonObject | null): ProviderIdentity | null {
  const subject = textOf(token.sub, SUBJECT_CHARS_MAX)
  if (subject === null) return null
  const about = token.email === undefined && info ? info : token
  const email = textOf(about.email, EMAIL_CHARS_MAX)
  const claims = { ...info, ...token }
  const { auth_time: authTime, amr } = token
  return {
    issuer,
    subject,
    email: email !== null && EMAIL.test(email) ? email : null,
    isEmailVerified: about.email_verified === true,
    name: {
      displayName: textOf(claims.name, NAME_CHARS_MAX),
      givenName: textOf(claims.given_name, NAME_CHARS_MAX),
      familyName: textOf(claims.family_name, NAME_CHARS_MAX),
    },
    sid: textOf(token.sid, SID_CHARS_MAX),
    amr: Array.isArray(amr)
      ? amr
          .filter((each) => textOf(each, 50) !== null)
          .slice(0, AMR_MAX)
          .map(String)
      : null,
    authTime: typeof authTime === 'number' && authTime > 0 && authTime < 1e11 ? new Date(authTime * 1_000) : null,
    claims,
  }
}

/**
 * The ids by which a provider's directory may know the person: the subject, and the object id of Entra ID, whose subjects are another
 * one for each application.
 */
export function directoryIdsOf({ subject, claims }: Pick<ProviderIdentity, 'subject' | 'claims'>): string[] {
  const object = textOf(claims.oid, SUBJECT_CHARS_MAX)
  return object === null ? [subject] : [subject, object]
}

/** The domain of an email, as DNS has it. */
export function domainOfEmail(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domainToASCII(domain) || domain
}

/** Tells whether a claim has a value, or is a list that holds it. @param claim its name, or a path through objects */
export function hasClaim(claims: JsonObject, claim: string, value: string): boolean {
  const found = claimAt(claims, claim)
  return (Array.isArray(found) ? found : [found]).some((each) => isText(each) && String(each) === value)
}

const isText = (value: JsonValue | undefined): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Names of claims may be addresses, which have dots: the whole name counts first. */
function claimAt(claims: JsonObject, claim: string): JsonValue | undefined {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  let at: JsonValue | undefined = claims
  for (const name of claim.split('.')) {
    if (!isPlainObject(at) || !Object.hasOwn(at, name)) return undefined
    at = (at as JsonObject)[name]
  }
  return at
}

/** A text that can be stored and shown in one line, or null. */
function textOf(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text !== '' && text.length <= max && !/[\p{Cc}\p{Cs}]/u.test(text) ? text : null
}
