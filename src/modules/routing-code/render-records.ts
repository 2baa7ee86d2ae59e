import { isId } from '../../platform/db/clock.js'
import { BadUserInput } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { parseAssignment } from '../channels/assignment.js'
import { parseServiceLevel } from '../channels/service-level.js'
import { parseSurvey } from '../channels/survey.js'
import type { Nameable, StoredRecord } from './routing-state.js'
import { isObject, mapReferences, SECTIONS, type ReferenceKind, type Section } from './sections.js'

/** A record as the document has it. */
export interface RenderedRecord {
  section: Section
  id: string
  version: number
  /** The name, or what stands for it. */
  title: string
  entry: JsonObject
  /** As {@link identityOf} says. */
  identity: string
}

/** Writes records as the document has them, in its order: names in place of ids, and no value that goes without saying. */
export function renderRecords(
  records: readonly StoredRecord[],
  nameables: readonly Nameable[],
  organization: string,
): RenderedRecord[] {
  const byId = new Map(nameables.map((each) => [`${each.kind} ${each.id}`, each]))
  const count = countBy(nameables, ({ kind, name }) => `${kind} ${name}`)
  const countOwn = countBy(nameables, ({ kind, name, organizationId }) => `${kind} ${organizationId} ${name}`)
  const countIn = countBy(nameables, ({ kind, name, organization: of }) => `${kind} ${name}\0${of}`)
  const names = countBy(records, ({ section, name }) => `${section} ${name}`)
  return records
    .map(({ section, id, version, name, values }): RenderedRecord => {
      const named = mapReferences(section, values, reference)
      const { externalId, ...rest } = named
      const isExternal = typeof externalId === 'string' && externalId !== id
      const needsId = !isExternal && (name === null || names.get(`${section} ${name}`)! > 1)
      const entry = ordered({
        ...(name !== null && { name }),
        ...(needsId && { id }),
        ...(isExternal && { externalId }),
        ...withoutDefaults(section, rest),
      })
      const title = name ?? (isExternal ? externalId : id)
      return { section, id, version, title, entry: entry as JsonObject, identity: identityOf(section, name, values) }
    })
    .toSorted(
      (one, other) =>
        SECTIONS.indexOf(one.section) - SECTIONS.indexOf(other.section) ||
        Number(one.entry.position ?? 0) - Number(other.entry.position ?? 0) ||
        byText(one.title, other.title) ||
        byText(one.id, other.id),
    )

  function reference(kind: ReferenceKind, id: JsonValue): JsonValue {
    // Tags are texts, of which some are the ids of groups.
    if (kind === 'groups' && !isId(id)) return id
    const found = byId.get(`${kind} ${String(id)}`)
    if (!found) return kind === 'groups' ? id : { id }
    const { name, organization: of, organizationId } = found
    if (kind === 'groups') return count.get(`${kind} ${name}`) === 1 ? { group: name } : id
    if (kind === 'users' || kind === 'organizations') return count.get(`${kind} ${name}`) === 1 ? name : { id }
    if (organizationId === organization) return countOwn.get(`${kind} ${organizationId} ${name}`) === 1 ? name : { id }
    return countIn.get(`${kind} ${name}\0${of}`) === 1 ? { name, organization: of } : { id }
  }
}

/**
 * Tells one state of a record from another: the same text for what would be stored alike, whatever the names are of what it names. Of
 * channels, for which others wait, also whatever of their defaults is written out.
 * @param values with ids for what it names
 */
export function identityOf(section: Section, name: string | null, values: JsonObject): string {
  const { id: _, name: __, externalId: ___, ...rest } = values
  return JSON.stringify(ordered({ name, ...withoutDefaults(section, section === 'channels' ? parsed(rest) : rest) }))
}

function parsed({ assignment, serviceLevel, survey }: JsonObject): JsonObject {
  try {
    const settings = {
      assignment: parseAssignment(assignment, 'assignment'),
      serviceLevel: parseServiceLevel(serviceLevel, 'serviceLevel'),
      survey: parseSurvey(survey, 'survey'),
    }
    return settings as unknown as JsonObject
  } catch (error) {
    // The mutation refuses it.
    if (error instanceof BadUserInput) return { assignment: assignment!, serviceLevel: serviceLevel!, survey: survey! }
    throw error
  }
}

function countBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1)
  return counts
}

/** Compares texts by their code units: in every language alike. */
export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Leaves out what a mutation would put there by itself. */
function withoutDefaults(section: Section, values: JsonObject): JsonObject {
  const listed = (of: JsonValue | undefined, change: (each: JsonObject) => JsonObject): JsonValue =>
    Array.isArray(of) ? of.map((each) => (isObject(each) ? change(each) : each)) : (of ?? null)
  const days = (of: JsonValue | undefined): JsonValue =>
    listed(of, ({ lastDay, ...day }) => given({ ...day, lastDay: lastDay === day.firstDay ? null : lastDay! }))
  switch (section) {
    case 'holidayCalendars':
      return given({ days: days(values.days) })
    case 'schedules':
      return given({ ...values, exceptions: days(values.exceptions) })
    case 'slaPolicies': {
      const targets = listed(values.targets, (target) =>
        given({
          ...target,
          // The same times, of which seconds are enough.
          ...{ minutes: null, warnMinutes: null },
          acts: listed(target.acts, ({ requeue, ...act }) => given({ ...act, requeue: requeue || null })),
        }),
      )
      const { conditions } = values
      const isAlways = isObject(conditions) && Array.isArray(conditions.all) && conditions.all.length === 0
      return given({ ...values, targets, conditions: isAlways ? null : conditions! })
    }
    case 'workflows': {
      const rules = listed(values.rules, ({ id, ...rule }) => ({ ...(!isId(id) && { id: id! }), ...rule }))
      const { organizations, organizationTags } = values
      // A limit to nothing differs from none.
      return {
        ...(organizations !== null && { organizations: organizations! }),
        ...(organizationTags !== null && { organizationTags: organizationTags! }),
        ...given({ rules }),
      }
    }
    case 'channels':
      return given({
        ...values,
        assignment: isObject(values.assignment) ? given(values.assignment) : null,
        survey: isObject(values.survey) ? given(values.survey) : null,
      })
    default:
      return given(values)
  }
}

/** Omits null and empty lists. */
function given(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}

/** Keys in the order in which people read them; others come after, by name. */
const ORDER = [
  ...['name', 'id', 'externalId', 'group', 'organization', 'organizations', 'organizationTags'],
  ...['timezone', 'days', 'firstDay', 'lastDay', 'opens', 'closes', 'spans', 'exceptions', 'calendars', 'text'],
  ...['position', 'schedule', 'mode', 'order', 'scale'],
  ...['fact', 'path', 'operator', 'value', 'conditions', 'type', 'channels', 'users', 'skills', 'event', 'params'],
  ...['priority', 'clock', 'seconds', 'warnSeconds', 'targets', 'at', 'acts', 'rules'],
]
const RANK = new Map(ORDER.map((key, rank) => [key, rank]))
const rankOf = (key: string): number => RANK.get(key) ?? ORDER.length

/** Puts the keys of all objects in one order. */
export function ordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  const keys = Object.keys(value).toSorted((one, other) => rankOf(one) - rankOf(other) || byText(one, other))
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key]!)]))
}
