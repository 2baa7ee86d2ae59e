import { BadUserInput, quoteValue } from '../../platform/errors.js'

/** Joins `rules[0]` and `event` to `rules[0].event`; an empty prefix adds nothing. */
export function fieldOf(prefix: string, key: string | number): string {
  if (typeof key === 'number') return `${prefix}[${key}]`
  return prefix === '' ? key : `${prefix}.${key}`
}

/** @throws BadUserInput with the expected and the actual value */
export function refuse(field: string, expected: string, value: unknown): never {
  // As JSON, NaN and Infinity would become null.
  const actual = typeof value === 'number' ? String(value) : quoteValue(value)
  throw new BadUserInput(field, `${field || 'the body'} must be ${expected}, not ${actual}`)
}

/**
 * Requires an object with no keys other than `keys`, which also excludes `__proto__`, `constructor` and `prototype`.
 * @throws BadUserInput
 */
export function readObject(value: unknown, field: string, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(field, 'an object', value)
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue
    throw new BadUserInput(
      fieldOf(field, key.slice(0, 80)),
      `${field || 'the body'} has an unknown field ${quoteValue(key)}; known fields: ${keys.join(', ')}`,
      'UNKNOWN_FIELD',
    )
  }
  return value as Record<string, unknown>
}

export function readArray(value: unknown, field: string, maxItems: number): unknown[] {
  if (!Array.isArray(value)) refuse(field, 'an array', value)
  if (value.length > maxItems) {
    throw new BadUserInput(field, `${field} has ${value.length} items; the maximum is ${maxItems}`)
  }
  return value
}

/** Requires a string that PostgreSQL's jsonb can store: well-formed UTF-16 without NUL. @throws BadUserInput */
export function readText(value: unknown, field: string, maxLength: number): string {
  if (typeof value !== 'string') refuse(field, 'a string', value)
  if (value.length > maxLength) {
    throw new BadUserInput(
      field,
      `${field} has ${value.length} characters; the maximum is ${maxLength}: ${quoteValue(value)}`,
    )
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    refuse(field, 'free of NUL characters and lone surrogates', value)
  }
  return value
}

/** Requires an integer from `min` to `max`, which excludes NaN, -1, 2^31 and 1e308. @throws BadUserInput */
export function readInteger(value: unknown, field: string, min: number, max: number, unit = ''): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    refuse(field, `a whole number${unit} from ${min} to ${max}`, value)
  }
  return value
}
