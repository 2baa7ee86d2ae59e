import { BadUserInput } from '../../platform/errors.js'
import { readText, refuse } from './rule-input.js'

/** Reads the value at a path of one fact; undefined if there is none. Never throws. */
export type PathReader = (fact: unknown) => unknown

const PATH_LENGTH_MAX = 300
const SEGMENTS_MAX = 20
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype'])

/** Validates a condition's path (4.6) when a rule is saved: it begins with a dot, `.meta.url`. @throws BadUserInput */
export function parsePath(value: unknown, field: string): string {
  const path = readText(value, field, PATH_LENGTH_MAX)
  if (!path.startsWith('.') || path.length === 1) refuse(field, 'a path with a dot first, such as ".meta.url"', path)
  const segments = path.slice(1).split('.')
  if (segments.length > SEGMENTS_MAX) {
    throw new BadUserInput(field, `${field} has ${segments.length} segments; the maximum is ${SEGMENTS_MAX}`)
  }
  const forbidden = segments.find((segment) => FORBIDDEN_SEGMENTS.has(segment))
  if (forbidden) throw new BadUserInput(field, `${field} must not contain the segment ${forbidden}: ${path}`)
  return path
}

/**
 * Compiles a path once for many reads. Only own properties count, and for arrays only elements by index
 * (`.items.0.title`); a missing step gives undefined.
 *
 * Names may contain spaces and dots (forms are keyed by name), so for each object the longest part of the path that is a key is used: `.Contact form v1.2.email` reads `Contact form
 * v1.2`, then `email`, and `.address.city` also reads a mock contact given as `{"address.city": …}`. There is no
 * backtracking.
 */
export function compilePath(path: string): PathReader {
  const segments = path.slice(1).split('.')
  if (!path.startsWith('.') || path.length === 1 || segments.length > SEGMENTS_MAX) return () => undefined
  const stretches = segments.map((_, from) => stretchesFrom(segments, from))
  return (fact) => {
    let value = fact
    let position = 0
    while (position < segments.length) {
      if (typeof value !== 'object' || value === null) return undefined
      const stretch = longestKey(value, stretches[position]!)
      if (!stretch) return undefined
      value = (value as Record<string, unknown>)[stretch.key]
      position = stretch.end
    }
    return value
  }
}

interface Stretch {
  readonly key: string
  /** Position of the segment after that part. */
  readonly end: number
}

function stretchesFrom(segments: readonly string[], from: number): Stretch[] {
  const stretches: Stretch[] = []
  for (let end = segments.length; end > from; end--) stretches.push({ key: segments.slice(from, end).join('.'), end })
  return stretches
}

function longestKey(value: object, stretches: readonly Stretch[]): Stretch | undefined {
  const isArray = Array.isArray(value)
  for (const stretch of stretches) {
    if (!Object.hasOwn(value, stretch.key)) continue
    if (!isArray || /^\d+$/.test(stretch.key)) return stretch
  }
  return undefined
}
