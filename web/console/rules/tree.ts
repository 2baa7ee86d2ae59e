/** A condition of 4.6 as the editor has it. `value` is JSON, or text where it is none. */
export interface Leaf {
  fact: string
  path: string
  operator: string
  value: unknown
}

export type Node = Leaf | { all: Node[] } | { any: Node[] }
export type Kind = 'all' | 'any'

/** The facts of 4.6, and the paths that they are known to have. */
export const FACTS: Readonly<Record<string, readonly string[]>> = {
  conversation: ['.category', '.categoryIndex', '.contactStatus', '.language', '.meta.'],
  message: ['.text', '.touchpoint', '.meta.'],
  contact: ['.email', '.worksFor', '.address.addressLocality', '.address.postalCode', '.meta.'],
  organization: ['.id', '.country', '.industry', '.locale', '.tags', '.meta.'],
  forms: ['.'],
  results: ['.names', '.forms', '.categories', '.categoryIndexes'],
  context: ['.currentTime', '.currentHour', '.currentMin', '.dayOfWeek', '.schedules.', '.process'],
}

export const OPERATORS = [
  'equal',
  'notEqual',
  'in',
  'notIn',
  'match',
  'notMatch',
  'pattern',
  'noPattern',
  'defined',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'between',
  'notBetween',
  'contains',
  'doesNotContain',
] as const

export function kindOf(node: Node): Kind | null {
  return 'all' in node ? 'all' : 'any' in node ? 'any' : null
}

export function membersOf(node: Node): Node[] {
  return 'all' in node ? node.all : 'any' in node ? node.any : []
}

export function group(kind: Kind, members: Node[]): Node {
  return kind === 'all' ? { all: members } : { any: members }
}

export const NEW_LEAF: Leaf = { fact: 'message', path: '.text', operator: 'match', value: '' }

/** Reads the text typed for a value: JSON where it is some, text else; what an operator cannot do without is a list. */
export function valueOf(text: string, operator: string): unknown {
  if (operator === 'match' || operator === 'notMatch' || operator === 'pattern' || operator === 'noPattern') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return operator === 'in' || operator === 'notIn' ? text.split(',').map((part) => part.trim()) : text
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
