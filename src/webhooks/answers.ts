import type { Authenticator } from '../access/authenticator.js'
import type { UserCaller } from '../access/caller.js'
import { effectiveScopes, type Role } from '../access/scopes.js'
import { Context } from '../context.js'
import { sendMessages, type SendDependencies } from '../conversations/sending/send-message.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { DomainError, quoteValue } from '../errors.js'
import { isAbsent } from '../input.js'
import { isPlainObject } from '../json.js'
import { idempotently } from '../limits/idempotency.js'
import { camelRow } from '../lists/rows.js'
import { parseAnsweredMessages } from '../messages/message-content.js'
import { displayNameOf, type Named } from '../users/user.js'
import type { DueDelivery, LaneHead } from './delivery-store.js'
import type { OutboundAnswer } from '../outbound/outbound-http.js'
import { botOf, type WebhookParams } from './webhook-params.js'

export interface Answered {
  serviceId: string
  head: LaneHead & { delivery: DueDelivery }
  answer: OutboundAnswer
}

const IGNORED_NAMES_MAX = 10

/** @returns what became of the messages in an answer, in words; null when there are none, or it is known already */
export type AnswerMessages = (ctx: Context, answered: Answered) => Promise<string | null>

/**
 * A receiver may answer `{messages: […]}`: they join the event's conversation as the webhook's bot (open points,
 * reply), or with `{token, messages}` as the user of that API token, by the rules of any message of that user, its
 * limits included (section 8). All of them join or none, and once for each event and webhook, however often the event is
 * delivered and answered.
 */
export function createAnswerMessages(send: SendDependencies, authenticator: Authenticator): AnswerMessages {
  return async (ctx, { serviceId, head, answer }) => {
    const { delivery, params } = head
    if (delivery.reply !== null) return null
    const answered = messagesOf(answer)
    if (answered === null) return null
    const { messages, token } = answered
    const { conversationId, eventId } = delivery
    if (!conversationId) return 'ignored: the event is not of a conversation'
    const caller =
      token === null ? await callerOfBot(ctx, params, serviceId) : await callerOfToken(authenticator, token)
    if (typeof caller === 'string') return caller
    const { database, clock, log } = ctx
    const as = new Context({ database, clock, log, caller, requestId: `webhook ${eventId}`, address: null })
    const request = { key: `webhook:${serviceId}:${eventId}`, operation: 'webhook.answer', input: null }
    try {
      const { messages: drafts, ignored } = parseAnsweredMessages(messages, conversationId)
      if (drafts.length > 0) await idempotently(as, request, () => sendMessages(send, as, conversationId, drafts))
      const joined = `${drafts.length} ${drafts.length === 1 ? 'message' : 'messages'} joined the conversation`
      return ignored.length === 0 ? joined : `${joined}; ignored: ${nameFields(ignored)}`
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
      return `refused: ${error.message}`
    }
  }
}

/** The user of the token that the answer brings, with the permissions that it has now; else why there is none. */
async function callerOfToken(authenticator: Authenticator, token: string): Promise<UserCaller | string> {
  try {
    const caller = await authenticator.authenticate(`Bearer ${token}`)
    return caller?.kind === 'user' ? caller : "refused: the answer's token is of no user"
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
    return `refused: the answer's token is not valid: ${error.message}`
  }
}

async function callerOfBot(
  { database }: Context,
  params: WebhookParams,
  service: string,
): Promise<UserCaller | string> {
  const bot = botOf(params)
  if (!bot) return 'ignored: params.bot names no bot'
  return (await readBot(database, bot, service)) ?? `ignored: user ${bot} is no active bot`
}

/** The beginning of an answer as it may be kept: a token in it is not. */
export function withoutToken(body: string): string {
  return body.replace(/("token"\s*:\s*)"(?:[^"\\]|\\.)*"?/g, '$1"********"')
}

/** Names the first few fields, each quoted: they are the receiver's words. */
function nameFields(paths: readonly string[]): string {
  const names = paths.slice(0, IGNORED_NAMES_MAX).map(quoteValue)
  return paths.length > IGNORED_NAMES_MAX ? `${names.join(', ')}, ...` : names.join(', ')
}

/** Null when the answer is of another kind. */
function messagesOf({ body, isCut }: OutboundAnswer): { messages: unknown; token: string | null } | null {
  if (isCut || !body.trimStart().startsWith('{')) return null
  try {
    const answer: unknown = JSON.parse(body)
    if (!isPlainObject(answer) || isAbsent(answer.messages)) return null
    return { messages: answer.messages, token: typeof answer.token === 'string' ? answer.token : null }
  } catch {
    // No JSON: not meant for us.
    return null
  }
}

interface BotRow extends Named {
  id: string
  organizationId: string
  org1: string
  org2: string | null
  org3: string | null
  avatar: string | null
  email: string
  role: Role
  apiScopes: string[] | null
}

/**
 * The bot as the caller of a request, with the permissions that it has now: those of its API token, where that has fewer
 * than the role. Null for one that is not active, or that has moved out of the webhook's organization and those above it.
 */
async function readBot(sql: Sql, id: string, service: string): Promise<UserCaller | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select u.id, u.organization_id, u.org1, u.org2, u.org3, u.display_name, u.given_name, u.additional_name,
       u.family_name, u.avatar, u.email, u.role, u.api_scopes
     from app_user u join service s on s.id = $2 and u.organization_id in (s.org1, s.org2, s.org3)
     where u.id = $1 and u.role = 'bot' and u.status = 'active'`,
    [id, service],
  )
  if (!row) return null
  const bot = camelRow<BotRow>(row)
  return {
    kind: 'user',
    key: `user:${bot.id}`,
    user: bot.id,
    role: bot.role,
    isBot: true,
    organization: bot.organizationId,
    path: pathOf(bot),
    scopes: new Set(effectiveScopes(bot.apiScopes ?? [bot.role], bot.role)),
    displayName: displayNameOf(bot),
    avatar: bot.avatar,
    email: bot.email,
  }
}
