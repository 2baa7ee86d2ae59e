import { isDeepStrictEqual } from 'node:util'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseBoolean, parseList, parseOneOf, parseServerUrl, parseText } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { EVENT_PATTERN } from './event-patterns.js'
import { checkFitsAnEvent, eventsFitting } from './webhook-events.js'
import { fieldsOfEvents, type PayloadFieldsOf } from './payload-fields.js'
import { parseSelection } from './payload-selection.js'
import { formatOf, WEBHOOK_FORMATS } from './webhook-format.js'
import { newSecret, parseSecret } from './signing.js'

/** The service type of webhooks. */
export const WEBHOOK = 'webhook'

const EVENTS_MAX = 100
const PATTERN_CHARS_MAX = 100

/** The service type of consumers that take their events. */
export const EVENTS = 'events'

/** Params of a service of type webhook (open points, registration). */
export interface WebhookParams extends JsonObject {
  /**
   * http or https. With `user:password@`, deliveries use basic authentication, and the password is left out of answers.
   */
  url: string
  /** Generated unless one is given or stored. */
  secret: string
}

/** Returns the params with all that is secret in them under names that say so: of the address of notices its path too. */
export function withSecretsNamed(params: WebhookParams): JsonObject {
  if (formatOf(params) === 'json') return params
  const { pathname, search } = new URL(params.url)
  return {
    ...params,
    addressSecret: `${pathname}${search}`,
    addressToken: pathname.slice(pathname.lastIndexOf('/') + 1),
  }
}

/** Parses the params of a webhook. @throws BadUserInput naming `params.<key>` */
export function readWebhookParams(given: JsonObject, stored: JsonObject, fieldsOf: PayloadFieldsOf): WebhookParams {
  const parsed = parseAddress(given.url)
  // An address stored in another spelling stays as it is: it is verified, and its secret is kept.
  const url = typeof stored.url === 'string' && URL.parse(stored.url)?.href === parsed ? stored.url : parsed
  checkFormat(given)
  checkWhatIsTold(given, stored, fieldsOf)
  // A PATCH without a secret keeps it, but a new address gets a new one.
  const kept = url === stored.url ? stored.secret : undefined
  // One that was stored under an earlier rule may be sent back.
  if (!isAbsent(given.secret) && given.secret !== stored.secret) parseSecret(given.secret, 'params.secret')
  const secret = given.secret ?? kept
  return { ...given, url, secret: typeof secret === 'string' ? secret : newSecret() }
}

/** Checks the format, and that nothing is set that a notice for people has no use for. @throws BadUserInput */
function checkFormat(given: JsonObject): void {
  const format = isAbsent(given.format) ? 'json' : parseOneOf(given.format, 'params.format', WEBHOOK_FORMATS)
  if (format === 'json') return
  const reasons = { bot: 'whose receivers add no messages', query: 'whose notices select nothing' }
  for (const [key, reason] of Object.entries(reasons)) {
    if (!isAbsent(given[key]))
      throw new BadUserInput(`params.${key}`, `params.${key} has no effect with params.format ${format}, ${reason}`)
  }
}

/** Parses the params of a service of type `events`. @throws BadUserInput naming `params.<key>` */
export function readEventsParams(given: JsonObject, stored: JsonObject, fieldsOf: PayloadFieldsOf): JsonObject {
  for (const key of ['url', 'secret']) {
    if (!isAbsent(given[key]))
      throw new BadUserInput(
        `params.${key}`,
        `params.${key} has no effect on a service of type ${EVENTS}: nothing is sent`,
      )
  }
  checkWhatIsTold(given, stored, fieldsOf)
  return given
}

/** Checks the params that say which events there are for it, and what of them. @throws BadUserInput */
function checkWhatIsTold(given: JsonObject, stored: JsonObject, fieldsOf: PayloadFieldsOf): void {
  if (!isAbsent(given.events)) parsePatterns(given.events, 'params.events')
  if (!isAbsent(given.bot) && !isId(given.bot)) {
    throw new BadUserInput('params.bot', `params.bot must be the ID of a user, not ${quoteValue(given.bot)}`)
  }
  if (!isAbsent(given.ownMessages)) parseBoolean(given.ownMessages, 'params.ownMessages')
  if (given.ownMessages === true && isAbsent(given.bot)) {
    throw new BadUserInput(
      'params.ownMessages',
      'params.ownMessages is only possible with params.bot, whose messages they are',
    )
  }
  // One that was stored under an earlier rule may be sent back, for the same events.
  const isKept = given.query === stored.query && isDeepStrictEqual(eventsOf(given), eventsOf(stored))
  if (!isAbsent(given.query) && !isKept) {
    parseSelection(given.query, 'params.query', fieldsOfEvents(eventsFitting(eventsOf(given)), fieldsOf))
  }
}

/** Returns the event patterns; null for all events. */
export function eventsOf(params: JsonObject): string[] | null {
  return isAbsent(params.events) ? null : (params.events as string[])
}

/** Returns the user who sends the messages in the receiver's answers; null when none is set. */
export function botOf(params: JsonObject): string | null {
  return typeof params.bot === 'string' ? params.bot.toLowerCase() : null
}

/** Returns the user whose messages are not delivered: the bot, unless it asks for its own. */
export function mutedUserOf(params: JsonObject): string | null {
  return params.ownMessages === true ? null : botOf(params)
}

function parseAddress(value: unknown): string {
  if (isAbsent(value))
    throw new BadUserInput('params.url', 'params.url is required for a service of type webhook', 'MISSING_VALUE')
  return parseServerUrl(value, 'params.url')
}

/** Checks patterns of event names. @throws BadUserInput, also for one that no event fits */
export function parsePatterns(value: unknown, list: string): void {
  const patterns = parseList(value, list, EVENTS_MAX)
  if (patterns.length === 0) throw new BadUserInput(list, `${list} is empty: omit it for all events`)
  for (const [index, pattern] of patterns.entries()) {
    const field = `${list}[${index}]`
    const text = parseText(pattern, field, { min: 1, max: PATTERN_CHARS_MAX })
    if (!EVENT_PATTERN.test(text)) {
      throw new BadUserInput(
        field,
        `${field} ${quoteValue(text)} is neither an event name nor a pattern of letters, digits, dots and *`,
      )
    }
    checkFitsAnEvent(text, field)
  }
}
