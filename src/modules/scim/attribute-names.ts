import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { scimError, type ScimType } from './scim-errors.js'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const NAMES = new Map(
  (
    'id schemas meta userName externalId active displayName name emails phoneNumbers members givenName familyName ' +
    'middleName formatted value type primary display'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
)

/** Attributes of the standard that are taken and not kept. */
const UNKEPT = new Set(
  (
    'honorificprefix honorificsuffix nickname profileurl title usertype preferredlanguage locale timezone password ims photos addresses ' +
    'entitlements roles x509certificates groups'
  ).split(' '),
)

/** Attributes that the server makes: whatever is said of them changes nothing. */
export const SERVER_MADE = new Set(['id', 'schemas', 'meta'])

/** Names of attributes are the same in any case (RFC 7643, 2.1). @returns the name as the standard writes it, or as given */
export function canonicalName(name: string): string {
  return NAMES.get(name.toLowerCase()) ?? name
}

/** Tells whether an attribute is one that is taken and not kept: the standard's others, and those of extensions. */
export function isUnkept(name: string): boolean {
  return UNKEPT.has(name.toLowerCase()) || name.toLowerCase().startsWith('urn:')
}

/** Returns the name of an attribute without the core schema that it may begin with. */
export function withoutSchema(name: string): string {
  for (const schema of [USER_SCHEMA, GROUP_SCHEMA]) {
    if (name.toLowerCase().startsWith(`${schema.toLowerCase()}:`)) return name.slice(schema.length + 1)
  }
  return name
}

/** Returns an object with the standard's names of its members; of what is none of the kept ones nothing. */
export function canonical(object: JsonObject): JsonObject {
  const members = Object.entries(object).flatMap(([key, value]) => {
    const name = canonicalName(withoutSchema(key))
    return NAMES.has(name.toLowerCase()) ? [[name, value] as const] : []
  })
  return Object.fromEntries(members)
}

/** @throws BadUserInput for what is no object, or of another schema */
export function requireSchema(body: unknown, schema: string): JsonObject {
  if (!isPlainObject(body)) throw scimError('invalidSyntax', 'body', 'the body must be a JSON object')
  const given = canonical(body as JsonObject)
  const { schemas } = given
  const isOfSchema =
    Array.isArray(schemas) &&
    schemas.length <= 20 &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === schema.toLowerCase())
  if (!isOfSchema) throw scimError('invalidSyntax', 'schemas', `schemas must name ${schema}`)
  return body as JsonObject
}

/** Reads a boolean, which Entra ID writes as a text: `"False"`. @throws BadUserInput */
export function readBoolean(value: unknown, field: string, scimType: ScimType = 'invalidValue'): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw scimError(scimType, field, `${field} must be true or false`)
}

/** Returns a simple value as a text in small letters: null of an object or a list, which may have a `toString` that is none. */
export function inAnyCase(value: JsonValue | undefined): string | null {
  return typeof value === 'object' && value !== null ? null : String(value).toLowerCase()
}
