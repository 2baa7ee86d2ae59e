import { BadUserInput } from '../errors.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../json.js'

/** What is shown in place of a stored secret; sent back, it stands for the stored one. */
export const MASK = '********'

const SECRET_KEY = /(?:secret|password|passwd|passphrase|token|api_?key|private_?key|access_?key|credential)s?$/i
const SECRET_KEYS: ReadonlySet<string> = new Set(['pass', 'pwd', 'authorization'])

/** `secret`, `clientSecret`, `auth_token`, `apiKey` …; not `tokenUrl`. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key) || SECRET_KEYS.has(key.toLowerCase())
}

/** A copy with the mask in place of each text under a secret's key, at any depth. */
export function maskSecrets(params: JsonObject): JsonObject {
  return mapSecrets(params, (text) => (text === '' ? text : MASK))
}

/** A copy with the mask in place of each secret that was stored before: what is new is shown, once. */
export function maskKnownSecrets(params: JsonObject, stored: JsonObject): JsonObject {
  return mapSecrets(params, (text, path) => (text !== '' && memberAt(stored, path) === text ? MASK : text))
}

/**
 * A copy of a client's params with each mask replaced by what is stored at the same place, so that params can be read,
 * changed and sent back.
 * @throws BadUserInput for a mask where nothing is stored: `params.auth.password`
 */
export function restoreSecrets(params: JsonObject, stored: JsonObject, field: string): JsonObject {
  return mapSecrets(params, (text, path) => {
    if (text !== MASK) return text
    const kept = memberAt(stored, path)
    if (typeof kept === 'string') return kept
    const name = [field, ...path].join('.')
    throw new BadUserInput(name, `${name} is the mask of a stored secret, and none is stored there`)
  })
}

function mapSecrets(object: JsonObject, map: (text: string, path: readonly string[]) => string): JsonObject {
  return mapObject(object, [], false)

  function mapObject(members: JsonObject, path: readonly string[], isSecret: boolean): JsonObject {
    const mapped = Object.entries(members).map(([key, value]) => {
      return [key, mapValue(value, [...path, key], isSecret || isSecretKey(key))] as const
    })
    return Object.fromEntries(mapped)
  }

  function mapValue(value: JsonValue, path: readonly string[], isSecret: boolean): JsonValue {
    if (typeof value === 'string') return isSecret ? map(value, path) : value
    if (Array.isArray(value)) return value.map((element, at) => mapValue(element, [...path, String(at)], isSecret))
    return isPlainObject(value) ? mapObject(value as JsonObject, path, isSecret) : value
  }
}

function memberAt(params: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => ownMember(at, key), params)
}

function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
