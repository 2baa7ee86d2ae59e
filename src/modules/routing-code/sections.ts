import type { Permission } from '../../platform/access/permissions.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'

/** The parts of a routing document, in the order in which their records may name each other: none names a later one. */
export const SECTIONS = ['skills', 'holidayCalendars', 'schedules', 'channels', 'slaPolicies', 'workflows'] as const
export type Section = (typeof SECTIONS)[number]

/** Kinds of records that others name. */
export type ReferenceKind = Exclude<Section, 'slaPolicies' | 'workflows'> | 'users' | 'organizations' | 'groups'

interface SectionTraits {
  /** The record, in messages. */
  noun: string
  /** The resource, as permissions and events name it. */
  resource: 'skill' | 'holidayCalendar' | 'schedule' | 'channel' | 'slaPolicy' | 'workflow'
  table: string
  /** Keys of a record beside `name` and `id`. */
  keys: readonly string[]
  required: readonly string[]
}

export const TRAITS: Readonly<Record<Section, SectionTraits>> = {
  skills: { noun: 'skill', resource: 'skill', table: 'skill', keys: [], required: ['name'] },
  holidayCalendars: {
    noun: 'holiday calendar',
    resource: 'holidayCalendar',
    table: 'holiday_calendar',
    keys: ['days'],
    required: ['name'],
  },
  schedules: {
    noun: 'schedule',
    resource: 'schedule',
    table: 'schedule',
    keys: ['timezone', 'spans', 'exceptions', 'calendars', 'text'],
    required: ['name', 'timezone'],
  },
  channels: {
    noun: 'channel',
    resource: 'channel',
    table: 'channel',
    keys: ['assignment', 'serviceLevel', 'survey'],
    required: ['name'],
  },
  slaPolicies: {
    noun: 'SLA policy',
    resource: 'slaPolicy',
    table: 'sla_policy',
    keys: ['position', 'conditions', 'schedule', 'targets'],
    required: ['name', 'targets'],
  },
  workflows: {
    noun: 'workflow',
    resource: 'workflow',
    table: 'workflow',
    keys: ['externalId', 'organizations', 'organizationTags', 'rules'],
    required: [],
  },
}

/** The sections whose records those of a section name. */
export const NAMED_BY: Readonly<Record<Section, readonly Section[]>> = {
  skills: [],
  holidayCalendars: [],
  schedules: ['holidayCalendars'],
  channels: [],
  slaPolicies: ['schedules', 'channels'],
  workflows: ['channels', 'skills'],
}

/** Names the permission of a single mutation on a record of a section. */
export function permissionOf(section: Section, act: 'list' | 'create' | 'update' | 'delete'): Permission {
  return `${TRAITS[section].resource}.${act}`
}

/** Replaces one name or id. @param at its path in the record: `rules[0].event.params.channels[1]` */
type MapReference = (kind: ReferenceKind, value: JsonValue, at: string) => JsonValue

/** Replaces everything by which a record of a section names others; what has another shape is left to the parsers. */
export function mapReferences(section: Section, values: JsonObject, map: MapReference): JsonObject {
  const named = (of: JsonObject, kind: ReferenceKind, key: string, at: string): JsonObject =>
    within(of, key, (list) => each(list, `${at}${key}`, (value, place) => map(kind, value, place)))
  if (section === 'schedules') return named(values, 'holidayCalendars', 'calendars', '')
  if (section === 'slaPolicies') {
    const counted = within(values, 'schedule', (value) => (value === null ? null : map('schedules', value, 'schedule')))
    return within(counted, 'targets', (targets) =>
      each(targets, 'targets', (target, at) =>
        within(target, 'acts', (acts) =>
          each(acts, `${at}.acts`, (act, place) =>
            isObject(act) ? named(named(act, 'channels', 'channels', `${place}.`), 'users', 'users', `${place}.`) : act,
          ),
        ),
      ),
    )
  }
  if (section !== 'workflows') return values
  const limited = named(named(values, 'organizations', 'organizations', ''), 'groups', 'organizationTags', '')
  return within(limited, 'rules', (rules) =>
    each(rules, 'rules', (rule, at) =>
      within(rule, 'event', (event) =>
        within(event, 'params', (params) => {
          if (!isObject(params)) return params
          const place = `${at}.event.params.`
          return (['channels', 'users', 'skills'] as const).reduce(
            (mapped, kind) => named(mapped, kind, kind, place),
            params,
          )
        }),
      ),
    ),
  )
}

/** Returns the name that a rule of a workflow has, if it has one. */
export function ruleName(rule: unknown): string | null {
  const event = isObject(rule) ? rule.event : undefined
  const params = isObject(event) ? event.params : undefined
  const name = isObject(params) ? params.name : undefined
  return typeof name === 'string' ? name : null
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within<V extends JsonValue>(of: V, key: string, change: (value: JsonValue) => JsonValue): V {
  if (!isObject(of) || of[key] === undefined) return of
  const changed: JsonObject = { ...of, [key]: change(of[key]) }
  return changed as V
}

function each(list: JsonValue, at: string, change: (value: JsonValue, at: string) => JsonValue): JsonValue {
  return Array.isArray(list) ? list.map((value, index) => change(value, `${at}[${index}]`)) : list
}
