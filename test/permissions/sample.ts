import type { Line } from './section-5.js'
import type { Kind } from './world.js'

/** Stands in a sample for the id of a record, which the cases put in: one of each place in turn. */
export interface Ref {
  ref: Kind
  /**
   * Records of organizations above serve those below here (2.9, 3.4, 4.8): the parent's is taken. Not the sibling's.
   */
  reachesParent?: boolean
  /** Answer for a record out of sight; NOT_FOUND unless said. */
  hidden?: string
}

/** An operation with its arguments as they succeed. */
export interface Sample {
  /** Field of the schema's query, mutation or subscription. */
  field: string
  /** Difference from other samples of the field. */
  how?: string
  line: Line
  args: Readonly<Record<string, unknown>>
  /** Answer where it is allowed; `ok` unless said. */
  own?: string
  sub?: string
  /** The same for a consumer in its own conversation; refused unless said. */
  consumer?: string
  /** True if it is about who asks: nothing of another's is named. */
  isOfSelf?: boolean
  /** Workflows of the organizations above run for those below, and are shown so (4.3). */
  showsParent?: boolean
  /** Needs an administrator of level 1 besides (4.3). */
  byCenter?: boolean
  /** A subscription. */
  isLive?: boolean
}

export const ref = (kind: Kind, more: Omit<Ref, 'ref'> = {}): Ref => ({ ref: kind, ...more })
export const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'ref' in value

/** Stands for the id of who asks. */
export const SELF = { self: true } as const
export const isSelf = (value: unknown): boolean => value === SELF

/** Stands for an email, or a name, that nobody has. */
export const UNIQUE = 'a new one'
/** The same where it is no address. */
export const UNIQUE_WORD = 'a new word'

/** The same for a domain. */
export const UNIQUE_DOMAIN = 'a new domain'

/** Finds where in the arguments each record is named, list places without their number: `input.members.user`. */
export function refsOf(value: unknown, path = ''): [path: string, ref: Ref][] {
  if (isRef(value)) return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => refsOf(member, path === '' ? key : `${path}.${key}`))
}

/** The arguments with every stand-in replaced. */
export function filled(value: unknown, idOf: (ref: Ref, path: string) => string, self: string, path = ''): unknown {
  if (isRef(value)) return idOf(value, path)
  if (isSelf(value)) return self
  if (value === UNIQUE_WORD) return crypto.randomUUID()
  if (value === UNIQUE_DOMAIN) return `${crypto.randomUUID()}.example`
  if (value === UNIQUE) return `${crypto.randomUUID()}@example.com`
  if (typeof value !== 'object' || value === null) return value
  const under = (key: string): string => (path === '' ? key : `${path}.${key}`)
  if (Array.isArray(value)) return value.map((member, index) => filled(member, idOf, self, under(String(index))))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, idOf, self, under(key))]))
}
