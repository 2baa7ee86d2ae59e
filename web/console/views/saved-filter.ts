import type { SavedViewGapsQuery } from '../../generated/saved-views.js'
import { filterOf, needsAccepted, NO_FILTERS, STATES, type Asked, type Conditions } from './filters.js'
import type { ViewName } from './view-name.js'

/** A filter of conversations as the server keeps it: any that `conversations` takes. */
export type StoredFilter = Record<string, unknown>
export type Gap = NonNullable<SavedViewGapsQuery['view']>['gaps'][number]

export interface Parts {
  /** Choices of the page. */
  conditions: Conditions
  /** The conditions that the page has no choice for, and keeps. */
  rest: StoredFilter
}

const ONE_AND_ALL = new Set(['and', 'or'])

/** Takes apart a filter into what the page lets choose and the rest: put together, they are the filter again. */
export function partsOf(filter: StoredFilter): Parts {
  const rest = { ...filter }
  // All that the page lists is of consumers.
  delete rest.type
  const conditions: Conditions = { ...NO_FILTERS, state: stateOf(rest) }
  for (const name of Object.keys(conditions.state ? STATES[conditions.state] : {})) delete rest[name]
  const take = (name: string): string => {
    const id = onlyId(rest[name])
    if (id) delete rest[name]
    return id
  }
  conditions.channel = take('caseChannels')
  conditions.label = take('labels')
  const { user, accepted, ...others } = (rest.participants ?? {}) as StoredFilter
  const expected = needsAccepted(conditions.state) ? { eq: true } : undefined
  if (Object.keys(others).length === 0 && isSame(accepted, expected)) {
    conditions.agent = onlyId(user)
    if (conditions.agent) delete rest.participants
  }
  return { conditions, rest }
}

/** Puts a filter together. What says the same field twice holds both times. */
export function filterWith({ conditions, rest }: Parts): Asked['filter'] {
  const own = filterOf(conditions) as StoredFilter
  const twice = Object.keys(rest).filter((name) => name in own && !ONE_AND_ALL.has(name))
  if (twice.length === 0) return { ...own, ...rest }
  const { and = [], ...others } = rest
  const again = Object.fromEntries(twice.map((name) => [name, others[name]]))
  return { ...others, ...own, and: [...(and as StoredFilter[]), again] }
}

export function isSameChoice(one: Conditions, other: Conditions): boolean {
  return (Object.keys(one) as (keyof Conditions)[]).every((name) => one[name] === other[name])
}

/** The filter without what it names and is gone. */
export function withoutGaps(filter: StoredFilter, gaps: readonly Gap[]): StoredFilter {
  const left = structuredClone(filter)
  for (const { field, id } of gaps) {
    const path = field.split(/[.[\]]+/).slice(1)
    const operator = path.pop()!
    const holder = path.reduce<StoredFilter | undefined>((at, name) => at?.[name] as StoredFilter | undefined, left)
    const value = holder?.[operator]
    if (Array.isArray(value)) {
      const others = value.filter((each) => String(each).toLowerCase() !== id)
      if (others.length > 0) holder![operator] = others
      else delete holder![operator]
    } else if (holder) delete holder[operator]
    // Whether somebody has accepted says nothing without whom.
    const within = path.lastIndexOf('participants')
    if (within >= 0 && path.at(-1) === 'user') {
      const above = path.slice(0, within).reduce<StoredFilter>((at, name) => at[name] as StoredFilter, left)
      delete above.participants
    }
  }
  return pruned(left)
}

/** Leaves out groups and fields that have lost their conditions. */
function pruned(group: StoredFilter): StoredFilter {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, value]): [string, unknown][] => {
      if (ONE_AND_ALL.has(name)) {
        const parts = (value as StoredFilter[]).map(pruned).filter((part) => Object.keys(part).length > 0)
        return parts.length > 0 ? [[name, parts]] : []
      }
      const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
      return isEmpty ? [] : [[name, value]]
    }),
  )
}

/** The fixed view of which the filter has all conditions: the one that says most. */
function stateOf(filter: StoredFilter): ViewName | '' {
  const has = (state: ViewName): boolean =>
    Object.entries(STATES[state]).every(([name, condition]) => isSame(filter[name], condition))
  const fitting = (Object.keys(STATES) as ViewName[]).filter(has)
  return fitting.toSorted((a, b) => Object.keys(STATES[b]).length - Object.keys(STATES[a]).length)[0] ?? ''
}

/** The server keeps `queued` of `QUEUED`. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one)?.toLowerCase() === JSON.stringify(other)?.toLowerCase()
}

function onlyId(condition: unknown): string {
  const { eq, ...others } = (condition ?? {}) as StoredFilter
  return typeof eq === 'string' && Object.keys(others).length === 0 ? eq.toLowerCase() : ''
}
