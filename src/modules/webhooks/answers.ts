import type { Authenticator } from '../../platform/access/authenticator.js'
import type { UserCaller } from '../../platform/access/caller.js'
import { Context } from '../../platform/context.js'
import { CALLER_COLUMNS, userCallerOf, type CallerRow } from '../auth/caller-of-user.js'
import { sendMessages, type SendDependencies } from '../conversations/sending/send-message.js'
import type { Sql } from '../../platform/db/database.js'
import { DomainError, quoteValue } from '../../platform/errors.js'
import { isAbsent } from '../../platform/input.js'
import { isPlainObject } from '../../platform/json.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { parseAnsweredMessages } from '../messages/message-content.js'
import { audienceOf } from '../messages/message-row.js'
import { refuseMasked } from '../../platform/masking/refuse-masked.js'
import type { DueDelivery, PartitionHead } from './delivery-store.js'
import type { OutboundAnswer } from '../../platform/outbound/outbound-http.js'
import type { AnswerOutcome } from './attempt-store.js'
import { formatOf } from './webhook-format.js'
import { botOf, type WebhookParams } from './webhook-params.js'

export interface Answered {
  serviceId: string
  head: PartitionHead & { delivery: DueDelivery }
  answer: OutboundAnswer
}

const IGNORED_NAMES_MAX = 10

/** @returns the outcome of the messages in an answer; null when there are none, or they were handled before */
export type AnswerMessages = (ctx: Context, answered: Answered) => Promise<AnswerOutcome | null>

/**
 * Handles messages in a receiver's answer. `{messages: […]}` is added to the event's conversation as the webhook's bot
 * (open points, reply); with `{token, messages}` as the user of that API token. The rules and limits of any message of
 * that user apply (section 8). Either all are added or none, and once per event and webhook, however often the event is
 * delivered and answered.
 */
export function createAnswerMessages(send: SendDependencies, authenticator: Authenticator): AnswerMessages {
  return async (ctx, { serviceId, head, answer }) => {
    const { delivery, params } = head
    if (delivery.reply !== null) return null
    const answered = messagesOf(answer)
    if (answered === null) return null
    const { messages, token } = answered
    if (formatOf(params) !== 'json') return notTaken('ignored: who takes notices adds no messages')
    const { conversationId, eventId } = delivery
    if (!conversationId) return notTaken('ignored: the event does not belong to a conversation')
    const caller =
      token === null ? await callerOfBot(ctx, params, serviceId) : await callerOfToken(authenticator, token)
    if (typeof caller === 'string') return notTaken(caller)
    const { database, clock, log } = ctx
    const as = new Context({ database, clock, log, caller, requestId: `webhook ${eventId}`, address: null })
    const request = { key: `webhook:${serviceId}:${eventId}`, operation: 'webhook.answer', input: null }
    try {
      const { messages: given, ignored } = parseAnsweredMessages(messages, conversationId)
      refuseMasked(as, 'sendMessages', { messages: given })
      const depth = as.userCaller.isBot ? depthOfEvent(delivery) : null
      const newMessages = given.map((each) => ({ ...each, depth: depth ?? each.depth }))
      const sent =
        newMessages.length > 0
          ? await idempotently(as, request, () => sendMessages(send, as, conversationId, newMessages))
          : []
      const added = `${newMessages.length} ${newMessages.length === 1 ? 'message' : 'messages'} added to the conversation`
      const isForTeam = sent.length > 0 && sent.every((message) => audienceOf(message) === 'team')
      const joined = isForTeam ? `${added}, for the team only` : added
      if (ignored.length === 0) return { text: joined, isIgnored: false }
      return notTaken(`${joined}; ignored: ${nameFields(ignored)}`)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
      return notTaken(`refused: ${error.message}`)
    }
  }
}

/** Returns the depth of the event that is answered: of its message, 0 for one that answers nothing. */
function depthOfEvent({ data }: DueDelivery): number {
  const depth = (data?.message as { depth?: number | null } | undefined)?.depth
  return depth ?? 0
}

const notTaken = (text: string): AnswerOutcome => ({ text, isIgnored: true })

/** Returns the user of the answer's token with its current permissions, or the reason why there is none. */
async function callerOfToken(authenticator: Authenticator, token: string): Promise<UserCaller | string> {
  try {
    const caller = await authenticator.authenticate(`Bearer ${token}`)
    return caller?.kind === 'user' ? caller : "refused: the answer's token does not belong to a user"
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
    return `refused: the answer's token is invalid: ${error.message}`
  }
}

async function callerOfBot(
  { database }: Context,
  params: WebhookParams,
  service: string,
): Promise<UserCaller | string> {
  const bot = botOf(params)
  if (!bot) return 'ignored: params.bot is not set'
  return (await readBot(database, bot, service)) ?? `ignored: user ${bot} is not an active bot`
}

/** Returns the beginning of an answer for the log, with its token masked, in whichever way its name is written. */
export function withoutToken(body: string): string {
  return body.replace(MEMBER, (member, name: string, colon: string) =>
    isTokenName(name) ? `${name}${colon}"********"` : member,
  )
}

/**
 * A name that may be read as `token`, each letter of it five pieces as `\u0074`, and a text; the text, or the escape at its end,
 * may be cut off. Each quote costs a few steps, and a text is read once: receivers choose what is searched.
 */
const MEMBER = /("(?:[^"\\]|\\.){5,25}")(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/gs

function isTokenName(quoted: string): boolean {
  try {
    return String(JSON.parse(quoted)).toLowerCase() === 'token'
  } catch {
    // No JSON: nothing reads a token of it.
    return false
  }
}

/** Lists the first few fields, each quoted because the receiver chooses their names. */
function nameFields(paths: readonly string[]): string {
  const names = paths.slice(0, IGNORED_NAMES_MAX).map(quoteValue)
  return paths.length > IGNORED_NAMES_MAX ? `${names.join(', ')}, ...` : names.join(', ')
}

/** Tells whether an answer that begins like this may have messages: it is an object, or white space so far. */
export const mayHaveMessages = (beginning: string): boolean => /^\s*(\{|$)/.test(beginning)

/** Returns null when the answer is of another kind. */
function messagesOf({ body, isCut }: OutboundAnswer): { messages: unknown; token: string | null } | null {
  if (isCut || !mayHaveMessages(body)) return null
  try {
    const answer: unknown = JSON.parse(body)
    if (!isPlainObject(answer) || isAbsent(answer.messages)) return null
    return { messages: answer.messages, token: typeof answer.token === 'string' ? answer.token : null }
  } catch {
    // No JSON: not intended as messages.
    return null
  }
}

/**
 * Returns the bot as a caller with its current permissions: those of its API token, if fewer than the role's. Null for
 * a bot that is archived, or has moved out of the webhook's organization and its ancestors.
 */
async function readBot(sql: Sql, id: string, service: string): Promise<UserCaller | null> {
  const [row] = await sql.query<CallerRow & { api_scopes: string[] | null }>(
    `select ${CALLER_COLUMNS}, u.api_scopes
     from app_user u join service s on s.id = $2 and u.organization_id in (s.org1, s.org2, s.org3)
     where u.id = $1 and u.role = 'bot' and u.status <> 'archived'`,
    [id, service],
  )
  return row ? userCallerOf(row, row.api_scopes ?? [row.role]) : null
}
