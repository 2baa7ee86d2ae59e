import { isDeepStrictEqual } from 'node:util'
import { BadUserInput, quoteValue } from './errors.js'

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

export interface JsonLimits {
  /** Maximum size of the value as JSON, in UTF-8 bytes. */
  maxBytes: number
  /** The outermost object has depth 1. */
  maxDepth: number
}

export const JSON_LIMITS: Readonly<JsonLimits> = { maxBytes: 65_536, maxDepth: 20 }
const KEY_CHARS_MAX = 256

/** Keys that access an object's prototype when they are merged carelessly. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Copies a client's JSON object so that it is safe to merge and to store as `jsonb`: plain objects and arrays, finite
 * numbers, well-formed strings without NUL (PostgreSQL refuses both), no prototype keys at any depth. Omits keys whose
 * value is `undefined`, like `JSON.stringify`.
 * @throws BadUserInput naming the path of the error (`meta.a[2].b`)
 */
export function parseJsonObject(value: unknown, field: string, limits: JsonLimits = JSON_LIMITS): JsonObject {
  if (!isPlainObject(value)) throw new BadUserInput(field, `${field} must be an object, not ${quoteValue(value)}`)
  refuseLarge(value, field, limits)
  const copy = copyObject(value, field, limits.maxDepth)
  const bytes = Buffer.byteLength(JSON.stringify(copy))
  if (bytes > limits.maxBytes) {
    throw new BadUserInput(field, `${field} has ${bytes} bytes as JSON; at most ${limits.maxBytes} are allowed`)
  }
  return copy
}

/**
 * Parses metadata for a create. Keys beginning with `_` are the system's (2.12). Absent gives an empty object.
 * @throws BadUserInput
 */
export function parseMeta(value: unknown, field: string, limits: JsonLimits = JSON_LIMITS): JsonObject {
  if (value === undefined || value === null) return {}
  const meta = parseJsonObject(value, field, limits)
  for (const key of Object.keys(meta)) {
    if (isSystemKey(key)) throw systemKeyRefused(field, key)
  }
  return meta
}

/**
 * Parses metadata that replaces stored metadata: the stored system keys stay. Clients send the complete object back
 * (section 1, PATCH), so it may repeat a system key with its stored value, but not set or change one.
 * @throws BadUserInput
 */
export function replaceMeta(stored: JsonObject | null | undefined, value: unknown, field: string): JsonObject {
  const meta = value === null || value === undefined ? {} : parseJsonObject(value, field)
  for (const [key, given] of Object.entries(meta)) {
    if (isSystemKey(key) && !isDeepStrictEqual(given, stored?.[key])) throw systemKeyRefused(field, key)
  }
  const system = Object.entries(stored ?? {}).filter(([key]) => isSystemKey(key))
  return { ...meta, ...Object.fromEntries(system) }
}

/** Like {@link replaceMeta}, for metadata that may be absent: cleared metadata is null, unless it has system keys. */
export function changedMeta(stored: JsonObject | null | undefined, value: unknown, field: string): JsonObject | null {
  const meta = replaceMeta(stored, value, field)
  return value === null && Object.keys(meta).length === 0 ? null : meta
}

/**
 * Tells whether a key begins with `_` (2.12), except `_asked…`, where a legacy client stores its questions (open
 * points).
 */
export function isSystemKey(key: string): boolean {
  return key.startsWith('_') && !key.startsWith('_asked')
}

/** Tells whether setting the key could change a prototype: `__proto__`, `constructor`, `prototype`. */
export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key)
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || isForeignObjectPrototype(prototype)
}

/** Recognizes `Object.prototype` of another realm: in a test runner's sandbox, JSON is the platform's own. */
function isForeignObjectPrototype(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, '__defineGetter__')
}

/** Returns why PostgreSQL cannot store a string as text or jsonb, or undefined. */
export function unstorable(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000'
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair'
  return undefined
}

/** Makes an external text storable in PostgreSQL: truncated, without NUL or lone surrogates. */
export function storableText(text: string, charsMax = Infinity): string {
  return text.slice(0, charsMax).replaceAll('\0', '\u{FFFD}').toWellFormed()
}

function systemKeyRefused(field: string, key: string): BadUserInput {
  return new BadUserInput(`${field}.${key}`, `${field}.${key} cannot be set: keys beginning with _ are the system's`)
}

/**
 * Refuses what is certainly too large or too deep before anything is copied. Stops there, so that its cost does not grow
 * with the value. @throws BadUserInput
 */
function refuseLarge(value: Record<string, unknown>, field: string, { maxBytes, maxDepth }: JsonLimits): void {
  const open: [value: unknown, depth: number][] = [[value, 1]]
  /** A lower bound. */
  let bytes = 0
  for (let next = open.pop(); next && bytes <= maxBytes; next = open.pop()) {
    const [each, depth] = next
    if (typeof each === 'string') bytes += each.length
    if (typeof each !== 'object' || each === null) continue
    if (depth > maxDepth) throw tooDeep(field)
    for (const key in each) {
      bytes += Array.isArray(each) ? 2 : key.length + 4
      if (bytes > maxBytes) break
      open.push([(each as Record<string, unknown>)[key], depth + 1])
    }
  }
  if (bytes <= maxBytes) return
  throw new BadUserInput(field, `${field} has more than ${maxBytes} bytes as JSON, which is the maximum`)
}

function copyObject(value: Record<string, unknown>, field: string, depthLeft: number): JsonObject {
  if (depthLeft < 1) throw tooDeep(field)
  const copy: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    if (key.length > KEY_CHARS_MAX) {
      throw new BadUserInput(field, `${field} has a key of ${key.length} characters; at most ${KEY_CHARS_MAX}`)
    }
    const path = `${field}.${key}`
    if (isPrototypeKey(key)) throw new BadUserInput(path, `${path} is not allowed as a key`)
    const problem = unstorable(key)
    if (problem) throw new BadUserInput(field, `the key ${quoteValue(key)} of ${field} ${problem}`)
    if (member !== undefined) copy[key] = copyValue(member, path, depthLeft - 1)
  }
  return copy
}

function copyValue(value: unknown, field: string, depthLeft: number): JsonValue {
  switch (typeof value) {
    case 'string': {
      const problem = unstorable(value)
      if (problem) throw new BadUserInput(field, `${field} ${problem}`)
      return value
    }
    case 'number':
      if (Number.isFinite(value)) return value
      throw new BadUserInput(field, `${field} must be a finite number, not ${quoteValue(value)}`)
    case 'boolean':
      return value
  }
  if (value === null) return null
  if (Array.isArray(value)) {
    if (depthLeft < 1) throw tooDeep(field)
    return value.map((element, index) => copyValue(element, `${field}[${index}]`, depthLeft - 1))
  }
  if (isPlainObject(value)) return copyObject(value, field, depthLeft)
  throw new BadUserInput(field, `${field} must be a JSON value, not ${quoteValue(value)}`)
}

function tooDeep(field: string): BadUserInput {
  return new BadUserInput(field, `${field} is nested too deeply`)
}
