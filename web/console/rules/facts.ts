import { kindOf, membersOf, textOf, valueOf, type Leaf, type Node } from './tree.js'

export type Facts = Record<string, unknown>

/** A value that a rule looks at: `contact` `.address.postalCode`. */
export interface Looked {
  fact: string
  path: string
}

/** Facts that the conditions look at, each once, in their order. */
export function lookedAt(trees: readonly Node[]): Looked[] {
  const found = new Map<string, Looked>()
  const look = (node: Node): void => {
    if (kindOf(node)) return membersOf(node).forEach(look)
    const { fact, path } = node as Leaf
    found.set(fact + path, { fact, path })
  }
  trees.forEach(look)
  return [...found.values()]
}

/** As it is typed; empty where there is nothing. */
export function factText(facts: Facts, { fact, path }: Looked): string {
  let value: unknown = facts[fact]
  for (const part of partsOf(path)) value = (value as Facts | null | undefined)?.[part]
  return value === undefined || value === null ? '' : textOf(value)
}

/** The facts with one more; nothing typed is no fact. */
export function withFact(facts: Facts, { fact, path }: Looked, text: string): Facts {
  return withValue(facts, [fact, ...partsOf(path)], text === '' ? undefined : valueOf(text, 'equal')) as Facts
}

function withValue(at: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value
  const record = at !== null && typeof at === 'object' && !Array.isArray(at) ? (at as Facts) : {}
  return { ...record, [first]: withValue(record[first], rest, value) }
}

function partsOf(path: string): string[] {
  return path.split('.').filter((part) => part !== '')
}
