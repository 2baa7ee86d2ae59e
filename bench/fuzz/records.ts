import type { Random } from './random.js'

const KEPT_MAX = 200

/** Other names under which interfaces speak of a kind. */
const ALIASES: Readonly<Record<string, string>> = {
  parent: 'organization',
  owner: 'organization',
  origin: 'conversation',
  agent: 'user',
  member: 'user',
  orggroup: 'organizationgroup',
  group: 'organizationgroup',
  tag: 'organizationgroup',
  rule: 'workflowrule',
  file: 'file',
}

/** Ids of records that really exist, by kind, taken from what was answered. */
export class Records {
  readonly #byKind = new Map<string, string[]>()

  add(kind: string, id: string): void {
    const key = kind.toLowerCase()
    const ids = this.#byKind.get(key) ?? []
    this.#byKind.set(key, ids)
    if (ids.includes(id)) return
    if (ids.length < KEPT_MAX) ids.push(id)
    else ids[Math.abs(hash(id)) % KEPT_MAX] = id
  }

  /** Takes whatever an answer shows. @param kind of the outermost object, where it does not say itself */
  harvest(value: unknown, kind?: string): void {
    if (Array.isArray(value)) for (const element of value) this.harvest(element, kind)
    if (typeof value !== 'object' || value === null) return
    const { id, __typename } = value as { id?: unknown; __typename?: unknown }
    const own = typeof __typename === 'string' ? __typename : kind
    if (typeof id === 'string' && own !== undefined) this.add(own, id)
    for (const [key, member] of Object.entries(value))
      if (typeof member === 'object') this.harvest(member, singular(key))
  }

  /** One of the kind that a name speaks of: `conversation`, `updateChannel`, `users`. */
  idFor(name: string, random: Random): string {
    const said = name.toLowerCase().replace(/ids?$/, '')
    const kinds = [...this.#byKind.keys()].toSorted((one, other) => other.length - one.length)
    const alias = Object.keys(ALIASES).find((each) => said.includes(each))
    const kind = kinds.find((each) => said.includes(each)) ?? (alias && ALIASES[alias]) ?? random.pick(kinds)
    return random.pick(this.#byKind.get(kind) ?? this.#byKind.get('conversation')!)
  }
}

export function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '')
}

function hash(text: string): number {
  let sum = 0
  for (const character of text) sum = (Math.imul(sum, 31) + character.charCodeAt(0)) | 0
  return sum
}
