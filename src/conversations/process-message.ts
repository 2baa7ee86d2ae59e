import type { TenantScope } from '../db/tenancy.js'
import { Forbidden, Unprocessable } from '../errors.js'
import { checkBotLimits, BOT_CONSECUTIVE_WINDOW_MS, BOT_IDENTICAL_WINDOW_MS } from '../messages/bot-limits.js'
import { parseCommand } from '../messages/command-text.js'
import type { MessageDraft } from '../messages/message-content.js'
import type { MessageRow } from '../messages/message-row.js'
import { viewersOf } from '../presence/presence.js'
import { acceptAs } from './commands/accept.js'
import { COMMANDS } from './commands/index.js'
import type { ConversationWork, Member } from './conversation-work.js'
import { readMembers, type Sender } from './members.js'
import type { Router } from './router.js'
import { previewOf } from './preview.js'
import { applyMove } from './transitions.js'

export interface MessageProcessing {
  router: Router
  sender: Sender
  draft: MessageDraft
  id: string
  /** Part of a conversation create: bot limits do not count it, and a consumer message queues an active one (3.1). */
  isInCreate?: boolean
}

/**
 * Adds a message to a conversation and does all that follows from it: commands run, consumer messages queue, an agent's
 * answer accepts (2.9, 3.1, 4.7, 4.8). Needs the conversation's row lock.
 * @throws Unprocessable for an archived conversation or a blocked contact; RateLimited past a bot's limits (section 8).
 */
export async function processMessage(work: ConversationWork, processing: MessageProcessing): Promise<MessageRow> {
  const { draft, sender, id } = processing
  const { conversation } = work
  if (conversation.status === 'archived') throw new Unprocessable('the conversation is archived', { status: 'archived' })
  const actor = await readActor(work, sender, draft)
  if (draft.type === 'command') return runCommand(work, processing, actor)
  if (sender.isBot && !processing.isInCreate) await checkBot(work, sender.member!, draft)
  if (draft.role === 'contact' && work.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked')
  if (conversation.touchpoint === null && draft.touchpoint !== null && isTalk(draft)) {
    conversation.touchpoint = draft.touchpoint
  }
  const message = work.addMessage(rowOf(draft, id, actor))
  countUnread(work, draft, actor)
  if (conversation.type !== 'contact') {
    joinTeam(work, actor)
  } else {
    if (isTalk(draft) || draft.role === 'bot') conversation.lastMessageRole = draft.role
    if (draft.role === 'contact') await receive(work, processing, message)
    if (draft.role === 'agent') answer(work, draft, actor)
    if (draft.role === 'bot' && sender.isBot && actor) work.join(actor).active = true
  }
  if (isTalk(draft) || draft.role === 'bot') conversation.preview = previewOf(message) ?? conversation.preview
  return message
}

/** What passes between consumer and agent, either way. */
function isTalk({ role, isBackchannel }: MessageDraft): boolean {
  return !isBackchannel && (role === 'contact' || role === 'agent')
}

/** On whose behalf: the message's `user`, else the sender; a consumer message has none. */
async function readActor(work: ConversationWork, sender: Sender, draft: MessageDraft): Promise<Member | null> {
  if (draft.role === 'contact' && draft.type !== 'command') return null
  if (draft.user === null || draft.user === sender.member?.userId) return sender.member
  const scope: TenantScope = { path: sender.path }
  const known = work.participants.get(draft.user)
  if (known) return { userId: known.userId, name: known.name, avatar: known.avatar, role: known.role }
  const [member] = await readMembers(work.sql, scope, work.conversation, [draft.user], 'user')
  return member!
}

async function runCommand(
  work: ConversationWork,
  { draft, sender, id, router }: MessageProcessing,
  actor: Member | null,
): Promise<MessageRow> {
  if (!actor) throw new Forbidden('a registered user is required for a command')
  const parsed = parseCommand(draft.text ?? '')
  const message = work.addMessage(rowOf(draft, id, actor))
  if (parsed.name === 'bot') return message
  const command = COMMANDS.get(parsed.name)
  if (!command) throw new Unprocessable(`/${parsed.name} is not available`)
  await command.run({ work, router, sender, actor, parsed, meta: draft.meta, message })
  return message
}

/** A consumer message: unanswered now; followers' inboxes; a closed conversation is queued (3.1, 3.2). */
async function receive(work: ConversationWork, { router, isInCreate }: MessageProcessing, message: MessageRow): Promise<void> {
  const { conversation, participants } = work
  if (message.isBackchannel) return
  conversation.awaitingReply = true
  copyPage(work, message)
  const followers = [...participants.values()].filter(({ follow, inbox }) => follow && !inbox)
  if (followers.length > 0) {
    const watching = await viewersOf(work.sql, conversation.id)
    for (const follower of followers) if (!watching.has(follower.userId)) follower.inbox = true
  }
  const wasQueued = conversation.status === 'queued'
  const { queues } = applyMove(conversation, isInCreate && !wasQueued ? 'firstContactMessage' : 'contactMessage')
  if (queues) await router.queue(work, { trigger: 'contact message' })
}

/** An agent's answer to the consumer accepts (4.7, rule 4). A backchannel message is talk among agents. */
function answer(work: ConversationWork, draft: MessageDraft, actor: Member | null): void {
  if (draft.isBackchannel || !actor) return
  work.conversation.awaitingReply = false
  acceptAs(work, actor, 'agentMessage')
}

/** A team conversation: each message sets `inbox` for the participants that are not active (open points). */
function joinTeam({ participants }: ConversationWork, actor: Member | null): void {
  for (const participant of participants.values()) {
    if (!participant.active && participant.userId !== actor?.userId) participant.inbox = true
  }
}

function countUnread({ participants }: ConversationWork, draft: MessageDraft, actor: Member | null): void {
  if (draft.role === 'system') return
  for (const participant of participants.values()) {
    if (participant.userId === actor?.userId) participant.unreadCount = 0
    else participant.unreadCount++
  }
}

/** `title` and `url` of a consumer message are kept on the conversation; a system message tells of a change (2.12). */
function copyPage(work: ConversationWork, { meta }: MessageRow): void {
  const { conversation } = work
  const page: { _title?: string; _url?: string } = {}
  if (typeof meta?.title === 'string' && meta.title !== conversation.meta._title) page._title = meta.title
  if (typeof meta?.url === 'string' && meta.url !== conversation.meta._url) page._url = meta.url
  if (Object.keys(page).length === 0) return
  conversation.meta = { ...conversation.meta, ...page }
  const { _title: title, _url: url } = conversation.meta
  work.addMessage({
    ...EMPTY_MESSAGE,
    id: work.clock.newId(),
    type: 'chat',
    role: 'system',
    isBackchannel: true,
    text: [title, url].filter(Boolean).join(' '),
    meta: page,
  })
}

/** How far back a bot's messages are counted; more than this many in the windows cannot pass the limits anyway. */
const HISTORY_MAX = 500

/** Section 8, exact: the conversation's lock orders all who count. */
async function checkBot({ sql, conversation, now }: ConversationWork, bot: Member, draft: MessageDraft): Promise<void> {
  const rows = await sql.query<Pick<MessageRow, 'role' | 'type' | 'text'> & { bot: boolean; same: boolean; at: Date }>(
    `select role, type, created_at as at, user_id is not distinct from $2 as bot,
            (type = $4 and text is not distinct from $5 and coalesce(actions, '[]') = $6::jsonb
              and coalesce(items, '[]') = $7::jsonb) as same
     from message where conversation_id = $1 and created_at > $3 order by position desc limit $8`,
    [
      conversation.id, bot.userId, new Date(now.getTime() - BOT_CONSECUTIVE_WINDOW_MS), draft.type, draft.text,
      JSON.stringify(draft.actions), JSON.stringify(draft.items), HISTORY_MAX,
    ],
    'bot-history',
  )
  const said = rows.filter(({ type, role }) => type !== 'command' && role !== 'system')
  const reset = said.findIndex((row) => row.role === 'contact' || (row.role === 'agent' && !row.bot))
  const consecutive = (reset < 0 ? said : said.slice(0, reset)).filter((row) => row.bot)
  const since = now.getTime() - BOT_IDENTICAL_WINDOW_MS
  const identical = said.filter((row) => row.bot && row.same && row.at.getTime() > since)
  checkBotLimits({
    now,
    identicalInWindow: identical.length,
    oldestIdenticalAt: identical.at(-1)?.at ?? null,
    consecutiveInHour: consecutive.length,
    oldestConsecutiveAt: consecutive.at(-1)?.at ?? null,
  })
}

type NewMessage = Parameters<ConversationWork['addMessage']>[0]

const EMPTY_MESSAGE: Omit<NewMessage, 'id' | 'type' | 'role' | 'isBackchannel' | 'text' | 'meta'> = {
  userId: null,
  contentType: 'text/plain',
  serviceId: null,
  touchpoint: null,
  actions: null,
  items: null,
  likes: [],
  comments: [],
  version: 1,
}

function rowOf(draft: MessageDraft, id: string, actor: Member | null): NewMessage {
  return {
    ...EMPTY_MESSAGE,
    id,
    type: draft.type,
    role: draft.role,
    isBackchannel: draft.isBackchannel,
    userId: actor?.userId ?? null,
    contentType: draft.contentType,
    text: draft.text,
    serviceId: draft.service,
    touchpoint: draft.touchpoint,
    actions: draft.actions.length > 0 ? draft.actions : null,
    items: draft.items.length > 0 ? draft.items : null,
    meta: Object.keys(draft.meta).length > 0 ? draft.meta : null,
  }
}
