import { dayTime } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import type { ConsoleStore } from '../store/console-store.js'
import { partsOf, type Gap, type StoredFilter } from './saved-filter.js'
import { saved } from './saved-words.js'
import { words } from './words.js'

const LIST = new Intl.ListFormat(undefined, { style: 'narrow', type: 'unit' })
/** Comparisons without a word of their own. */
const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤' }

/** Says the conditions of a filter, each as "Label: Refund". */
export function describeFilter(store: ConsoleStore, filter: StoredFilter): string[] {
  const { conditions, rest } = partsOf(filter)
  const { state, channel, agent, label } = conditions
  const said: [string, string | undefined][] = [
    ['state', state && words.names[state]],
    ['caseChannels', channel && nameOf(store, channel)],
    ['agent', agent && nameOf(store, agent)],
    ['labels', label && nameOf(store, label)],
  ]
  const chosen = said.filter(([, value]) => value).map(([field, value]) => `${fieldWord(field)}: ${value}`)
  return [...chosen, ...describeRest(store, rest)]
}

/** Says the conditions that the page has no choice for. */
export function describeRest(store: ConsoleStore, rest: StoredFilter): string[] {
  return Object.entries(rest).flatMap(([field, condition]): string[] => {
    if (field === 'and') return (condition as StoredFilter[]).flatMap((part) => describeRest(store, part))
    if (field === 'or')
      return [(condition as StoredFilter[]).map((part) => describeRest(store, part).join(', ')).join(` ${saved.or} `)]
    if (typeof condition !== 'object' || condition === null) return [`${fieldWord(field)}: ${String(condition)}`]
    if (field === 'participants') return describeRest(store, condition as StoredFilter)
    return [`${fieldWord(field)}: ${describeOperators(store, condition as StoredFilter)}`]
  })
}

function describeOperators(store: ConsoleStore, operators: StoredFilter): string {
  const said = Object.entries(operators).map(([operator, value]) => {
    const words = Array.isArray(value)
      ? value.map((each) => describeValue(store, each)).join(` ${saved.or} `)
      : describeValue(store, value)
    if (operator === 'ne') return saved.not(words)
    return SIGNS[operator] ? `${SIGNS[operator]} ${words}` : words
  })
  return LIST.format(said)
}

function describeValue(store: ConsoleStore, value: unknown): string {
  if (value === null) return saved.nothing
  if (typeof value === 'boolean') return value ? saved.yes : saved.no
  const text = String(value)
  const { thread, touchpoint } = t()
  const upper = text.toUpperCase()
  if (upper in thread.status) return thread.status[upper as keyof typeof thread.status]
  if (upper in TOUCHPOINT_TRAITS) return touchpoint[upper as keyof typeof TOUCHPOINT_TRAITS]
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return dayTime(text, store.session.now())
  return nameOf(store, text) ?? text
}

/** The name of what an agent knows by its id. */
export function nameOf({ organization, user }: ConsoleStore, id: string): string | undefined {
  if (id === user) return organization.me.value?.displayName
  return (
    organization.labels.value.get(id)?.name ??
    organization.channels.value?.find((channel) => channel.id === id)?.name ??
    organization.colleagues.value.find((colleague) => colleague.id === id)?.displayName
  )
}

/** Says what is gone: "a label “Refund”". */
export function describeGap({ kind, name, isArchived }: Gap): string {
  const words = saved.gapOf(saved.kinds[kind], name)
  return isArchived ? saved.archivedGap(words) : words
}

export function fieldWord(field: string): string {
  return saved.fields[field] ?? field
}
