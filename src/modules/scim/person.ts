import { isAbsent, parseText } from '../../platform/input.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { parseEmail } from '../users/user-input.js'
import { displayNameOf, type User } from '../users/user.js'
import { canonical, inAnyCase, readBoolean, USER_SCHEMA } from './attribute-names.js'
import { scimError } from './scim-errors.js'

/** A user as a provider says it is. What it says nothing of is null, and stays as it is. */
export interface Person extends Record<KeptName, string | null> {
  userName: string
  externalId: string | null
  active: boolean | null
  email: string
  /** False if the email is the user name, since the provider names none. */
  isEmailNamed: boolean
  /** By what the provider names the number. */
  phoneType: string | null
}

/** The columns of a user that a provider may keep beside the email. */
export const KEPT_NAMES = ['displayName', 'givenName', 'familyName', 'additionalName', 'phone'] as const
export type KeptName = (typeof KEPT_NAMES)[number]

const USER_NAME_CHARS_MAX = 254
const EXTERNAL_ID_CHARS_MAX = 255
const NAME_CHARS_MAX = 200
const PHONE_CHARS_MAX = 50
const TYPE_CHARS_MAX = 50
/** The type of a number of which nothing else is known. */
const WORK = 'work'
const VALUES_MAX = 20

/**
 * Reads a resource of the type User: what is not kept here is not looked at.
 * @param emailBefore counts where neither an email is named nor the user name is one @throws BadUserInput
 */
export function readPerson(resource: JsonObject, emailBefore: string | null = null): Person {
  const given = canonical(resource)
  const name = canonical(objectOf(given.name, 'name'))
  const userName = lineOf(given.userName, 'userName', USER_NAME_CHARS_MAX)
  if (userName === null) throw scimError('invalidValue', 'userName', 'userName is required')
  const names = {
    givenName: lineOf(name.givenName, 'name.givenName', NAME_CHARS_MAX),
    familyName: lineOf(name.familyName, 'name.familyName', NAME_CHARS_MAX),
    additionalName: lineOf(name.middleName, 'name.middleName', NAME_CHARS_MAX),
  }
  const formatted = lineOf(name.formatted, 'name.formatted', NAME_CHARS_MAX)
  const isNamed = Object.values(names).some((each) => each !== null)
  return {
    userName,
    externalId: externalIdOf(given.externalId),
    active: isAbsent(given.active) ? null : readBoolean(given.active, 'active'),
    ...emailOf(given.emails, userName, emailBefore),
    displayName: lineOf(given.displayName, 'displayName', NAME_CHARS_MAX) ?? (isNamed ? null : formatted),
    ...names,
    ...phoneOf(given.phoneNumbers),
  }
}

function phoneOf(given: JsonValue | undefined): Pick<Person, 'phone' | 'phoneType'> {
  const { value, type } = chosenOf(given, 'phoneNumbers')
  const phone = lineOf(value, 'phoneNumbers.value', PHONE_CHARS_MAX)
  const phoneType = phone === null ? null : lineOf(type, 'phoneNumbers.type', TYPE_CHARS_MAX)
  return { phone, phoneType: phoneType === WORK ? null : phoneType }
}

/** Reads the provider's own id of a resource. @throws BadUserInput */
export function externalIdOf(value: JsonValue | undefined): string | null {
  return lineOf(value, 'externalId', EXTERNAL_ID_CHARS_MAX)
}

/** Reads a text of one line; an empty one is none. @throws BadUserInput */
export function lineOf(value: JsonValue | undefined, field: string, max: number): string | null {
  if (isAbsent(value)) return null
  const text = parseText(value, field, { max }).trim()
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw scimError('invalidValue', field, `${field} must be one line of text`)
  return text === '' ? null : text
}

/** The email that counts: the primary one, else the one for work, else the first; without any the user name, if it is one. */
function emailOf(
  emails: JsonValue | undefined,
  userName: string,
  before: string | null,
): Pick<Person, 'email' | 'isEmailNamed'> {
  const { value } = chosenOf(emails, 'emails')
  if (!isAbsent(value)) return { email: parseEmail(value, 'emails.value'), isEmailNamed: true }
  if (userName.includes('@')) return { email: parseEmail(userName, 'userName'), isEmailNamed: false }
  if (before !== null) return { email: before, isEmailNamed: false }
  throw scimError('invalidValue', 'emails', 'emails needs a value, since userName is not an email address')
}

/** Returns the one that is kept: the primary one, else the one for work, else the first. */
function chosenOf(list: JsonValue | undefined, field: string): JsonObject {
  const elements = valuesOf(list, field).filter(({ value }) => !isAbsent(value) && value !== '')
  return elements.find(isPrimary) ?? elements.find(({ type }) => type === WORK) ?? elements[0] ?? {}
}

/** Reads a list of complex values, of which some providers send one alone. @throws BadUserInput */
export function valuesOf(list: JsonValue | undefined, field: string): JsonObject[] {
  if (isAbsent(list)) return []
  const elements = Array.isArray(list) ? list : [list]
  if (elements.length > VALUES_MAX)
    throw scimError('invalidValue', field, `${field} has more than ${VALUES_MAX} values`)
  return elements.map((each) => canonical(typeof each === 'string' ? { value: each } : objectOf(each, field)))
}

export const isPrimary = ({ primary }: JsonObject): boolean => inAnyCase(primary) === 'true'

function objectOf(value: JsonValue | undefined, field: string): JsonObject {
  if (isAbsent(value)) return {}
  if (isPlainObject(value)) return value as JsonObject
  throw scimError('invalidValue', field, `${field} must be an object`)
}

/** A provisioned user, as it is read. */
export interface PersonRow extends Pick<User, KeptName | 'id' | 'email' | 'status' | 'version'> {
  userName: string
  externalId: string | null
  /** The properties that the provider has set, and {@link EMAILS} if the email is not its user name. */
  owned: string[]
  phoneType: string | null
  createdAt: Date
  updatedAt: Date
}

/** Among what the provider has set: it names emails of their own. */
export const EMAILS = 'emails'

/** Returns the resource of a user, as it is answered and as patches change it. @param base the address of the provider's SCIM */
export function resourceOf(row: PersonRow, base: string): JsonObject {
  const { id, externalId, userName, email, phone, phoneType, status, version, createdAt, updatedAt } = row
  const { givenName, familyName, additionalName, displayName } = row
  const name = {
    ...(givenName !== null && { givenName }),
    ...(familyName !== null && { familyName }),
    ...(additionalName !== null && { middleName: additionalName }),
  }
  const formatted = [givenName, additionalName, familyName].filter(Boolean).join(' ')
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(formatted !== '' && { name: { formatted, ...name } }),
    ...(displayName !== null || formatted !== '' ? { displayName: displayNameOf(row) } : {}),
    emails: [{ value: email, type: 'work', primary: true }],
    ...(phone !== null && { phoneNumbers: [{ value: phone, type: phoneType ?? WORK, primary: true }] }),
    active: status !== 'archived',
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Users/${id}`,
      version: entityTag(version),
    },
  }
}

export const entityTag = (version: number): string => `W/"${version}"`

/**
 * Returns the resource of a user as patches change it: without what the server has made. A name that is shown where there is none of its
 * own is not to become one, nor is the one number that is kept, whichever it is, to hide another, nor an email that is the user name to
 * stay behind when that changes.
 */
export function patchableOf(row: PersonRow, base: string): JsonObject {
  const { displayName, phone, phoneType, email, userName, owned } = row
  const phoneNumbers = phone === null ? [] : [{ value: phone, type: phoneType ?? WORK }]
  const resource = { ...resourceOf(row, base), displayName, phoneNumbers }
  const isEmailNamed = owned.includes(EMAILS) || email.toLowerCase() !== userName.toLowerCase()
  return isEmailNamed ? resource : { ...resource, emails: [] }
}
