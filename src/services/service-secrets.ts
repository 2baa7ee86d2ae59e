import { BadUserInput } from '../errors.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../json.js'
import { passwordOf, withoutPassword } from '../url-credentials.js'

/** Shown in place of a stored secret; sent back, it stands for the stored secret. */
export const MASK = '********'

const SECRET_KEY = /(?:secret|password|passwd|passphrase|token|api_?key|private_?key|access_?key|credential)s?$/i
const SECRET_KEYS: ReadonlySet<string> = new Set(['pass', 'pwd', 'authorization'])

/** `secret`, `clientSecret`, `auth_token`, `apiKey` …; not `tokenUrl`. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key) || SECRET_KEYS.has(key.toLowerCase())
}

/**
 * Returns a copy with the mask in place of each text under a secret's key, at any depth, and URLs without passwords.
 */
export function maskSecrets(params: JsonObject): JsonObject {
  return mapSecrets(params, (text) => (text === '' ? text : MASK), withoutPassword)
}

/** Returns a copy with the mask in place of secrets that were stored before: new ones are shown once. */
export function maskKnownSecrets(params: JsonObject, stored: JsonObject): JsonObject {
  const mask = (text: string, path: readonly string[]): string =>
    text !== '' && memberAt(stored, path) === text ? MASK : text
  return mapSecrets(params, mask, withoutPassword)
}

/** The text without the secrets of these params: a provider's answer may repeat what it was sent. */
export function redactSecrets(text: string, params: JsonObject): string {
  const secrets = new Set<string>()
  const note: MapText = (secret) => {
    for (const form of [secret, encodeURIComponent(secret)]) if (form !== '') secrets.add(form)
    return secret
  }
  mapSecrets(params, note, (url) => {
    const password = passwordOf(url)
    if (password !== null) note(password, [])
    return url
  })
  // The longest first: one may be the beginning of another.
  const longestFirst = [...secrets].toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((said, secret) => said.replaceAll(secret, MASK), text)
}

/**
 * Returns a copy of a client's params with each mask replaced by the stored value at the same path, so that params can
 * be read, changed and sent back.
 * @throws BadUserInput for a mask where nothing is stored: `params.auth.password`
 */
export function restoreSecrets(params: JsonObject, stored: JsonObject, field: string): JsonObject {
  return mapSecrets(
    params,
    (text, path) => {
      if (text !== MASK) return text
      const kept = memberAt(stored, path)
      if (typeof kept === 'string') return kept
      const name = [field, ...path].join('.')
      throw new BadUserInput(name, `${name} is the mask of a stored secret, and none is stored there`)
    },
    restorePassword(stored, field),
  )
}

/** Returns the paths at which a client's params contain the mask: `['auth', 'password']`. */
export function maskedPaths(params: JsonObject): (readonly string[])[] {
  const paths: (readonly string[])[] = []
  mapSecrets(params, (text, path) => {
    if (text === MASK) paths.push(path)
    return text
  })
  return paths
}

export function holdsSecret(params: JsonObject): boolean {
  let isHeld = false
  const noteSecret: MapText = (text) => {
    isHeld ||= text !== ''
    return text
  }
  const notePassword: MapText = (text) => {
    isHeld ||= withoutPassword(text) !== text
    return text
  }
  mapSecrets(params, noteSecret, notePassword)
  return isHeld
}

/** Restores the password of a URL that was shown without it, or with the mask in its place. */
function restorePassword(stored: JsonObject, field: string): MapText {
  return (text, path) => {
    const kept = memberAt(stored, path)
    const masked = typeof kept === 'string' ? withoutPassword(kept) : undefined
    // A stored URL without a password is shown as it is.
    if (typeof kept === 'string' && masked !== kept && withoutPassword(text) === masked) {
      const password = passwordOf(text)
      if (password === null || password === MASK) return kept
    }
    if (passwordOf(text) !== MASK) return text
    const name = [field, ...path].join('.')
    throw new BadUserInput(name, `${name} has the mask in place of its password, and none is stored for this URL`)
  }
}

type MapText = (text: string, path: readonly string[]) => string

/** @param mapOther applied to texts that are not under a secret's key */
function mapSecrets(object: JsonObject, map: MapText, mapOther: MapText = (text) => text): JsonObject {
  return mapObject(object, [], false)

  function mapObject(members: JsonObject, path: readonly string[], isSecret: boolean): JsonObject {
    const mapped = Object.entries(members).map(([key, value]) => {
      return [key, mapValue(value, [...path, key], isSecret || isSecretKey(key))] as const
    })
    return Object.fromEntries(mapped)
  }

  function mapValue(value: JsonValue, path: readonly string[], isSecret: boolean): JsonValue {
    if (typeof value === 'string') return isSecret ? map(value, path) : mapOther(value, path)
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
