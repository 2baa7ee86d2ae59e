import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { readObject, refuse } from './rule-input.js'

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue | undefined
}

export const FACT_NAMES = ['conversation', 'message', 'contact', 'organization', 'forms', 'results', 'context'] as const
export type FactName = (typeof FACT_NAMES)[number]

/** Facts for a rule's conditions (4.6): one plain JSON object each. */
export type Facts = Readonly<Record<FactName, JsonObject>>

export function isFactName(name: unknown): name is FactName {
  return FACT_NAMES.includes(name as FactName)
}

/** The data of a conversation and its surroundings that rules may see: the paths of 4.6, and of 4.5's mock facts. */
export interface FactSource {
  conversation: {
    meta?: JsonObject
    category?: string | null
    categoryIndex?: number | null
    language?: string | null
    contactStatus?: string | null
  }
  /** The last consumer message; null if there is none. */
  message: { meta?: JsonObject; text?: string | null; touchpoint?: string | null } | null
  contact: { meta?: JsonObject; email?: string | null; worksFor?: JsonValue; address?: JsonValue } | null
  organization: {
    id: string
    meta?: JsonObject
    country?: string | null
    industry?: string | null
    locale?: string | null
    tags?: string[]
    commands?: string[]
  }
  forms: readonly ConversationForm[]
  results: readonly FormResult[]
  /** Schedules, from the highest organization down; absent if nothing asks for them. */
  hours?: readonly { id: string; name: string; isOpenAt(at: number): boolean }[]
}

/** A form active in a conversation; a topic form belongs to a category, a static form to none. */
export interface ConversationForm {
  form: string
  name: string
  category?: string | null
  categoryIndex?: number | null
  values: JsonObject
}

export interface FormResult {
  form: string
  name: string
  category?: string | null
  categoryIndex?: number | null
}

/** Builds the facts of a real queueing. Picks the paths of 4.6 by name, so that wider objects expose nothing more. */
export function liveFacts(source: FactSource, now: Date): Facts {
  const { conversation, message, contact, organization } = source
  return {
    conversation: pick(conversation, ['meta', 'category', 'categoryIndex', 'language', 'contactStatus']),
    message: pick(message, ['meta', 'text', 'touchpoint']),
    contact: pick(contact, ['meta', 'email', 'worksFor', 'address']),
    organization: pick(organization, ['id', 'meta', 'country', 'industry', 'locale', 'tags', 'commands']),
    forms: formFacts(source.forms),
    results: resultFacts(source.results),
    context: { ...contextFacts(now), ...hoursFacts(source.hours, now) },
  }
}

/**
 * Builds the facts of the mock-facts endpoints (4.5): any keys of `conversation`, `message`, `contact` and
 * `organization`, as well as `forms` and `results` in the shape that rules read. Keys of `context` override the actual
 * time; `currentHour` and `currentMin` follow a given `currentTime` unless they are given too. @throws BadUserInput
 */
export function mockFacts(input: unknown, now: Date): Facts {
  const mock = readObject(input, '', FACT_NAMES)
  const factOf = (name: FactName) => {
    const fact = mock[name] ?? {}
    if (typeof fact !== 'object' || Array.isArray(fact)) refuse(name, 'an object', fact)
    return fact as JsonObject
  }
  return {
    conversation: factOf('conversation'),
    message: factOf('message'),
    contact: factOf('contact'),
    organization: factOf('organization'),
    forms: factOf('forms'),
    results: { ...resultFacts([]), ...factOf('results') },
    context: mockContext(factOf('context'), now),
  }
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/**
 * Builds the time facts: `currentTime` is an integer HHMM, `currentHour` a string HH, `currentMin` a number; all of
 * them and `dayOfWeek` in UTC.
 */
export function contextFacts(now: Date): JsonObject {
  return { process: 1, ...clockFacts(now.getUTCHours(), now.getUTCMinutes()), dayOfWeek: DAYS[now.getUTCDay()] }
}

/**
 * Builds the forms: static ones by name and id; topic forms likewise under `category<categoryIndex>`. For equal names
 * the last one counts.
 */
export function formFacts(forms: readonly ConversationForm[]): JsonObject {
  const statics = new Map<string, JsonValue>()
  const topics = new Map<string, Map<string, JsonValue>>()
  for (const { form, name, categoryIndex, values } of forms) {
    let group = statics
    if (categoryIndex != null) {
      const key = `category${categoryIndex}`
      group = topics.get(key) ?? new Map<string, JsonValue>()
      topics.set(key, group)
    }
    group.set(name, values)
    group.set(form, values)
  }
  for (const [key, group] of topics) statics.set(key, Object.fromEntries(group))
  // fromEntries creates own properties for any name, including `__proto__`.
  return Object.fromEntries(statics)
}

/** Builds the lists of completed forms for existence checks: without duplicates, in order of completion. */
export function resultFacts(results: readonly FormResult[]): JsonObject {
  return {
    names: distinct(results.map((result) => result.name)),
    forms: distinct(results.map((result) => result.form)),
    categories: distinct(results.map((result) => result.category)),
    categoryIndexes: distinct(results.map((result) => result.categoryIndex)),
  }
}

/** Member of `context` by which rules ask whether schedules are open: `.schedules.<id or name>.isOpen`. */
export const HOURS_MEMBER = 'schedules'

/** Builds the facts about hours at a time: of equal names the last one counts. */
function hoursFacts(hours: FactSource['hours'], now: Date): JsonObject {
  if (!hours) return {}
  const facts = new Map<string, JsonObject>()
  for (const { id, name, isOpenAt } of hours) {
    const fact = { isOpen: isOpenAt(now.getTime()) }
    facts.set(name, fact)
    facts.set(id, fact)
  }
  return { [HOURS_MEMBER]: Object.fromEntries(facts) }
}

function mockContext(overrides: JsonObject, now: Date): JsonObject {
  const { currentTime } = overrides
  let clock = {}
  if (currentTime !== undefined) {
    const isClock =
      Number.isInteger(currentTime) &&
      Number(currentTime) >= 0 &&
      Number(currentTime) <= 2359 &&
      Number(currentTime) % 100 <= 59
    if (!isClock) {
      throw new BadUserInput(
        'context.currentTime',
        `context.currentTime must be an integer HHMM from 0 to 2359, not ${quoteValue(currentTime)}`,
      )
    }
    clock = clockFacts(Math.floor(Number(currentTime) / 100), Number(currentTime) % 100)
  }
  return { ...contextFacts(now), ...clock, ...overrides, process: 1 }
}

function clockFacts(hours: number, minutes: number): JsonObject {
  return { currentTime: hours * 100 + minutes, currentHour: String(hours).padStart(2, '0'), currentMin: minutes }
}

function pick<T extends object>(source: T | null, keys: readonly (keyof T & string)[]): JsonObject {
  const picked: JsonObject = {}
  for (const key of keys) {
    const value = source?.[key]
    if (value !== undefined) picked[key] = value as JsonValue
  }
  return picked
}

function distinct(values: readonly (JsonValue | undefined)[]): JsonValue[] {
  return [...new Set(values.filter((value): value is JsonValue => value != null))]
}
