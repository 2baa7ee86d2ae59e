import type { UserCaller } from '../access/caller.js'
import { scopesOfRole, type Role } from '../access/scopes.js'
import { Context } from '../context.js'
import { sendMessages, type SendDependencies } from '../conversations/send-message.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { DomainError } from '../errors.js'
import { isPlainObject } from '../json.js'
import { idempotently } from '../limits/idempotency.js'
import { camelRow } from '../lists/rows.js'
import { parseMessages } from '../messages/message-content.js'
import { displayNameOf, type Named } from '../users/user.js'
import type { DueDelivery, LaneHead } from './delivery-store.js'
import type { OutboundAnswer } from '../outbound/outbound-http.js'
import { botOf } from './webhook-params.js'

export interface Answered {
  serviceId: string
  head: LaneHead & { delivery: DueDelivery }
  answer: OutboundAnswer
}

/** @returns what became of the messages in an answer, in words; null when there are none, or it is known already */
export type AnswerMessages = (ctx: Context, answered: Answered) => Promise<string | null>

/**
 * A receiver may answer `{messages: […]}`: they join the event's conversation as the webhook's bot (open points,
 * reply), by the rules of any message of that bot, its limits included (section 8). All of them join or none, and once
 * for each event and webhook, however often the event is delivered and answered.
 */
export function createAnswerMessages(send: SendDependencies): AnswerMessages {
  return async (ctx, { serviceId, head, answer }) => {
    const { delivery, params } = head
    if (delivery.reply !== null) return null
    const messages = messagesOf(answer)
    if (messages === null) return null
    const { conversationId, eventId } = delivery
    if (!conversationId) return 'ignored: the event is not of a conversation'
    const bot = botOf(params)
    if (!bot) return 'ignored: params.bot names no bot'
    const caller = await readBot(ctx.database, bot)
    if (!caller) return `ignored: user ${bot} is no active bot`
    const { database, clock, log } = ctx
    const as = new Context({ database, clock, log, caller, requestId: `webhook ${eventId}`, address: null })
    const request = { key: `webhook:${serviceId}:${eventId}`, operation: 'webhook.answer', input: null }
    try {
      const drafts = parseMessages(messages)
      if (drafts.length > 0) await idempotently(as, request, () => sendMessages(send, as, conversationId, drafts))
      return `${drafts.length} ${drafts.length === 1 ? 'message' : 'messages'} joined the conversation`
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error
      return `refused: ${error.message}`
    }
  }
}

/** Null when the answer is of another kind. */
function messagesOf({ body, isCut }: OutboundAnswer): unknown {
  if (isCut || !body.trimStart().startsWith('{')) return null
  try {
    const answer: unknown = JSON.parse(body)
    return isPlainObject(answer) ? (answer.messages ?? null) : null
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
}

/** The bot as the caller of a request, with the permissions that it has now. */
async function readBot(sql: Sql, id: string): Promise<UserCaller | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select id, organization_id, org1, org2, org3, display_name, given_name, additional_name, family_name, avatar,
       email, role
     from app_user where id = $1 and role = 'bot' and status = 'active'`,
    [id],
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
    scopes: new Set(scopesOfRole(bot.role)),
    displayName: displayNameOf(bot),
    avatar: bot.avatar,
    email: bot.email,
  }
}
