import { BadUserInput } from '../errors.js'
import { readText, refuse } from './rule-input.js'

/** Reads the value at a path of one fact; undefined where there is none. Never throws. */
export type PathReader = (fact: unknown) => unknown

const PATH_LENGTH_MAX = 300
const SEGMENTS_MAX = 20
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype'])

/** Checks a condition's path (4.6) when a rule is saved: it begins with a dot, `.meta.url`. @throws BadUserInput */
export function parsePath(value: unknown, field: string): string {
  const path = readText(value, field, PATH_LENGTH_MAX)
  if (!path.startsWith('.') || path.length === 1) refuse(field, 'a path with a dot first, such as ".meta.url"', path)
  const segments = path.slice(1).split('.')
  if (segments.length > SEGMENTS_MAX) {
    throw new BadUserInput(field, `${field} has ${segments.length} segments; the most is ${SEGMENTS_MAX}`)
  }
  const forbidden = segments.find((segment) => FORBIDDEN_SEGMENTS.has(segment))
  if (forbidden) throw new BadUserInput(field, `${field} may not hold the segment ${forbidden}: ${path}`)
  return path
}

/**
 * Compiles a path once for many reads. Only own properties count, and of an array only its elements by index
 * (`.items.0.title`); a missing step gives undefined.
 *
 * Names may hold spaces and dots (forms are keyed by name), so at each object the longest stretch of the path that is
 * a key is taken: `.Contact form v1.2.email` reads `Contact form v1.2`, then `email`, and `.address.city` also reads
 * a mock contact given as `{"address.city": …}`. A taken key is not given back.
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
      const stretch = longestKey(value, stretches[position])
      if (!stretch) return undefined
      value = (value as Record<string, unknown>)[stretch.key]
      position = stretch.end
    }
    return value
  }
}

interface Stretch {
  readonly key: string
  /** The position of the segment after the stretch. */
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
