import { BadUserInput } from '../../platform/errors.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { passwordOf, withoutPassword, withoutPath } from '../../platform/url-credentials.js'
import { isSecretElement, isSecretText, secretMembersOf } from './secret-names.js'
import type { ServiceKind } from './service-kinds.js'

/** Shown in place of a stored secret; sent back, it stands for the stored secret. */
export const MASK = '********'

/**
 * The declaration of which params are secrets: of a kind all but those that it declares and does not name as secrets; without one,
 * for types of one's own, names.
 */
type Declared = Pick<ServiceKind, 'params' | 'secrets' | 'secretAddresses'> | undefined

/** Tells whether a param of a kind is secret: what the kind does not declare is, since nothing says what it holds. */
export function isSecretParam({ params, secrets }: NonNullable<Declared>, key: string): boolean {
  return Object.hasOwn(secrets, key) || !params.includes(key)
}

/**
 * Returns a copy with the mask in place of each text and number of a secret, at any depth, URLs without passwords, and of secret
 * addresses the host and the last characters.
 */
export function maskSecrets(params: JsonObject, kind: Declared): JsonObject {
  return mapSecrets(params, kind, masked, showing(params, kind))
}

/** Returns what shows texts that are no secrets, of which URLs may hold some. */
function showing(params: JsonObject, kind: Declared): MapText {
  const secret = kind?.secretAddresses?.(params) ?? []
  return (text, path) => {
    const shown = withoutPassword(text)
    return path.length === 1 && secret.includes(path[0]!) ? withoutPath(shown, MASK) : shown
  }
}

/** Returns a copy with the mask in place of each text and number: of params only their form. */
export function maskAll(params: JsonObject): JsonObject {
  return mapTexts(params, masked)
}

/** Returns a copy with the mask in place of secrets that were stored before: new ones are shown once. */
export function maskKnownSecrets(params: JsonObject, stored: JsonObject, kind: Declared): JsonObject {
  const mask: MapSecret = (secret, path) => (memberAt(stored, path) === secret ? masked(secret) : secret)
  return mapSecrets(params, kind, mask, showing(params, kind))
}

const masked = (secret: string | number): string | number => (secret === '' ? secret : MASK)

/**
 * Returns a copy of a client's params with each mask replaced by the stored value at the same path, so that params can
 * be read, changed and sent back.
 * @throws BadUserInput for a mask where nothing is stored, and where the stored secret would be shown from now on:
 *   `params.auth.password`
 */
export function restoreSecrets(given: JsonObject, stored: JsonObject, kind: Declared): JsonObject {
  const before = maskSecrets(stored, kind)
  const restoreUrl = restoringUrl(stored, before)
  const restored = mapTexts(given, (text, path) => {
    if (text !== MASK) return typeof text === 'string' ? restoreUrl(text, path) : text
    const kept = memberAt(stored, path)
    if (typeof kept === 'string' || typeof kept === 'number') return kept
    const name = nameOf(path)
    throw new BadUserInput(name, `${name} is the mask of a stored secret, and none is stored there`)
  })
  const now = maskSecrets(restored, kind)
  for (const path of maskedPaths(given)) {
    if (memberAt(before, path) !== MASK || memberAt(now, path) === MASK) continue
    const name = nameOf(path)
    throw new BadUserInput(name, `${name} is masked, but would be shown under its new name: give the secret itself`)
  }
  for (const [key, address] of Object.entries(restored)) {
    const isRevealed = given[key] !== address && before[key] !== address && now[key] === address
    if (!isRevealed || typeof address !== 'string') continue
    const name = nameOf([key])
    throw new BadUserInput(name, `${name} is masked, but would be shown from now on: give the address itself`)
  }
  return restored
}

/** Returns the paths at which a client's params contain the mask: `['auth', 'password']`. */
export function maskedPaths(params: JsonObject): (readonly string[])[] {
  const paths: (readonly string[])[] = []
  mapTexts(params, (text, path) => {
    if (text === MASK) paths.push(path)
    return text
  })
  return paths
}

export function holdsSecret(params: JsonObject, kind: Declared): boolean {
  let isHeld = false
  const noteSecret: MapSecret = (secret) => {
    isHeld ||= secret !== ''
    return secret
  }
  const show = showing(params, kind)
  const noteUrl: MapText = (text, path) => {
    isHeld ||= show(text, path) !== text
    return text
  }
  mapSecrets(params, kind, noteSecret, noteUrl)
  return isHeld
}

/**
 * Returns what restores a URL that was shown without its password or with the mask in its place, or with the mask in place of its path.
 * @param before the stored params as they are shown
 */
function restoringUrl(stored: JsonObject, before: JsonObject): MapText {
  return (text, path) => {
    const [kept, shown] = [memberAt(stored, path), memberAt(before, path)]
    // A stored URL without secrets is shown as it is.
    if (typeof kept === 'string' && shown !== kept && withoutPassword(text) === shown) {
      const password = passwordOf(text)
      if (password === null || password === MASK) return kept
    }
    const part = passwordOf(text) === MASK ? 'password' : isMaskedPath(text) ? 'path' : null
    if (part === null) return text
    const name = nameOf(path)
    throw new BadUserInput(name, `${name} has the mask in place of its ${part}, and none is stored for this URL`)
  }
}

const isMaskedPath = (text: string): boolean =>
  text.includes(`/${MASK}`) && URL.parse(text)?.pathname.startsWith(`/${MASK}`) === true

const nameOf = (path: readonly string[]): string => ['params', ...path].join('.')

type MapText = (text: string, path: readonly string[]) => string
/** A secret may be a number, such as a PIN. */
export type MapSecret = (secret: string | number, path: readonly string[]) => string | number

/** @param map applied to all texts and numbers */
function mapTexts(params: JsonObject, map: MapSecret): JsonObject {
  return mapSecrets(params, { params: [], secrets: {} }, map)
}

/** @param mapOther applied to texts that are no secrets */
export function mapSecrets(
  object: JsonObject,
  kind: Declared,
  map: MapSecret,
  mapOther: MapText = (text) => text,
): JsonObject {
  return mapMembers(object, [], kind ? (key) => isSecretParam(kind, key) : secretMembersOf(object))

  function mapMembers(members: JsonObject, path: readonly string[], isSecret: (key: string) => boolean): JsonObject {
    const mapped = Object.entries(members).map(([key, value]) => {
      return [key, mapValue(value, [...path, key], isSecret(key))] as const
    })
    return Object.fromEntries(mapped)
  }

  function mapValue(value: JsonValue, path: readonly string[], isSecret: boolean): JsonValue {
    if (typeof value === 'string') {
      return isSecret || (!kind && isSecretText(value)) ? map(value, path) : mapOther(value, path)
    }
    if (typeof value === 'number') return isSecret ? map(value, path) : value
    if (Array.isArray(value)) {
      const isNamed = (at: number): boolean => !kind && isSecretElement(value, at)
      return value.map((element, at) => mapValue(element, [...path, String(at)], isSecret || isNamed(at)))
    }
    if (!isPlainObject(value)) return value
    const members = value as JsonObject
    if (kind || isSecret) return mapMembers(members, path, () => isSecret)
    return mapMembers(members, path, secretMembersOf(members))
  }
}

function memberAt(params: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => ownMember(at, key), params)
}

function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
