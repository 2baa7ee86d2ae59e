import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf, ownOrAboveSql } from '../../../platform/db/tenancy.js'
import { BadUserInput, Forbidden, renamedError, Unprocessable } from '../../../platform/errors.js'
import { channelWeightSql, isStaffSql, weightOf } from '../../staffing/load.js'
import type { Mark } from '../../messages/mark.js'
import type { MessageRow } from '../../messages/message-row.js'
import { parseMessage, type NewMessage } from '../../messages/message-content.js'
import { readMembers, senderOf, type Sender } from '../messages/members.js'
import { parseIds } from '../commands/parse-ids.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import { withKept } from '../routing/agent-needs.js'
import { NOTIFY } from '../routing/router.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import type { ConversationState } from '../state/conversation-state.js'
import { putInInbox } from '../state/inbox-reason.js'
import { endSnooze } from '../state/snooze.js'
import { applyMove } from '../state/transitions.js'
import { processMessage } from './process-message.js'
import { takeOver } from './end-stream.js'
import { requireSeen } from './require-seen.js'
import type { SendDependencies } from './send-message.js'

export interface HandOver {
  user: string | null
  channel: string | null
  /** A note for the next agent. */
  note: string | null
  /** Skills that the next agent of the channel must have; none: whoever the channel has. */
  skills: readonly string[]
  /** The state of the conversation that the caller saw. */
  mark: Mark | null
  /** Gives it to a colleague who is offline, too. */
  evenIfAway: boolean
  /** Gives it to a colleague who has no room for it, too. */
  evenIfFull: boolean
}

/**
 * Transfers the caller's part in a conversation to a colleague, or back to the queue of one channel, in one step:
 * between `/leave` and `/join`, rules could route the conversation. A colleague gets it accepted and in the inbox. In a
 * queue it waits like a new conversation, and is not offered to the caller; workflows do not run.
 * @throws Unprocessable if the caller is not a participant or the conversation is closed, `AGENT_UNAVAILABLE`, `AT_CAPACITY`;
 *   MovedOn; NotFound for the target; Forbidden; BadUserInput
 */
export async function handOver(
  { writer, ...handing }: SendDependencies,
  ctx: Context,
  conversationId: string,
  given: HandOver,
): Promise<ConversationState> {
  const { user, channel } = given
  const skills = parseSkills(given.skills)
  if ((user === null) === (channel === null))
    throw new BadUserInput('user', 'either user or channel is required', 'MISSING_VALUE')
  if (channel !== null) refuseWithChannel(given)
  else if (skills.length > 0) throw new BadUserInput('skills', 'skills is only possible with channel')
  const note = given.note === null ? null : parseNote(given.note)
  const operation = async (change: ConversationChange): Promise<ConversationState> => {
    await applyHandOver(change, ctx, handing, { ...given, skills, note })
    return change.conversation
  }
  return writer.run(ctx, conversationId, operation, { agentsToLock: await handOverLocks(ctx, user) })
}

/** Returns the agent that a hand-over to a user locks. */
export const handOverLocks = async (ctx: Context, user: string | null): Promise<string[] | undefined> =>
  user !== null && isId(user) ? seenBy(ctx, user.toLowerCase()) : undefined

/** Hands over as part of another operation, which has locked the agent. @throws as {@link handOver} */
export async function applyHandOver(
  change: ConversationChange,
  ctx: Context,
  { router, assignments }: Pick<SendDependencies, 'router' | 'assignments'>,
  { user, channel, note, skills, mark, evenIfAway, evenIfFull }: Omit<HandOver, 'note'> & { note: NewMessage | null },
): Promise<void> {
  const { conversation, participants } = change
  const sender = senderOf(ctx)
  requirePart(change, ctx.userCaller.user)
  await requireSeen(change, mark, [ctx.userCaller.user])
  await change.grants.require('handOver')
  await takeOver(change)
  const said =
    note &&
    (await processMessage(change, {
      router,
      sender,
      newMessage: note,
      id: change.clock.newId(),
      isGranted: true,
      isFree: true,
    }))
  if (said) conversation.handOverNoteId = said.id
  if (user !== null) {
    const [colleague] = await readMembers(change.sql, sender, conversation, [user], 'user')
    if (colleague!.userId === ctx.userCaller.user) throw new BadUserInput('user', 'user is the caller')
    if (evenIfFull) await requireMayOverfill(ctx, change, colleague!)
    const isOffering = (await assignments.offering(change.sql)).has(conversation.org1)
    const channelWeight = await channelWeightOf(change)
    requireTakes(change, colleague!, { evenIfAway, evenIfFull, isOffering, channelWeight })
    endSnooze(conversation)
    giveTo(change, colleague!, said)
    say(change, ctx, `handed over to ${colleague!.name ?? colleague!.userId}`)
    participants.delete(ctx.userCaller.user)
    noteTransfer(change, { from: ctx.userCaller.user, to: colleague!.userId })
    return
  }
  const name = await channelName(change, sender, channel!)
  await requireSkills(change, sender, { user: ctx.userCaller.user, channel: channel!, name, skills })
  participants.delete(ctx.userCaller.user)
  say(change, ctx, `handed over to ${name}`)
  noteTransfer(change, { from: ctx.userCaller.user, to: null })
  applyMove(conversation, 'enqueue')
  await router.queue(change, { trigger: NOTIFY, channels: [channel!] })
  conversation.needs = withKept(conversation.needs, {
    askedSkills: [...skills],
    exceptUsers: [ctx.userCaller.user],
  })
}

/** @throws BadUserInput */
function parseSkills(given: readonly string[]): string[] {
  return [...new Set(given.length === 0 ? [] : parseIds(given, 'skills'))]
}

/** The note is the whole text of a message for the team. */
export function parseNote(note: string): NewMessage {
  try {
    return parseMessage({ role: 'agent', text: note, isBackchannel: true }, 'note')
  } catch (error) {
    throw renamedError(error, /\bnote\.text\b/g, 'note')
  }
}

/** Returns the user if the caller sees it: locking makes a row of an agent's state, which nobody makes of strangers. */
async function seenBy(ctx: Context, user: string): Promise<string[]> {
  const values: unknown[] = [user]
  const visible = ownOrAboveSql(ctx.tenant, 't', values)
  const rows = await ctx.reads.query(`select from app_user t where t.id = $1 and ${visible}`, values)
  return rows.length > 0 ? [user] : []
}

function refuseWithChannel(given: Pick<HandOver, 'evenIfAway' | 'evenIfFull'>): void {
  const field = given.evenIfAway ? 'evenIfAway' : given.evenIfFull ? 'evenIfFull' : null
  if (field) throw new BadUserInput(field, `${field} is only possible with user`)
}

function requirePart({ conversation, participants }: ConversationChange, user: string): void {
  if (!participants.has(user))
    throw new Unprocessable(`user ${user} is not a participant of the conversation`, {
      reason: 'NOT_A_PARTICIPANT',
      user,
    })
  if (conversation.status === 'active' && conversation.type === 'contact') return
  throw new Unprocessable(`a ${conversation.status} conversation cannot be handed over: accept it first`, {
    reason: 'CONVERSATION_STATUS',
  })
}

/**
 * Checks that the caller may give a colleague more than fits: administrators, and supervisors of a channel of the
 * conversation or of the colleague. @throws Forbidden
 */
async function requireMayOverfill(ctx: Context, change: ConversationChange, { userId }: Member): Promise<void> {
  if (isAllowed(ctx.caller, 'staff.update')) return
  const rows = await change.sql.query(SUPERVISES, [ctx.userCaller.user, change.conversation.caseChannels, userId])
  if (rows.length > 0) return
  throw new Forbidden(
    'evenIfFull needs the scope admin, or the supervision of a channel of the conversation or the user',
  )
}

const SUPERVISES = reading(`select 1 from channel_member s where s.user_id = $1 and s.supervisor
  and (s.channel_id = any($2::uuid[]) or exists (
    select from channel_member m where m.channel_id = s.channel_id and m.user_id = $3)) limit 1`)

interface Taking extends Pick<HandOver, 'evenIfAway' | 'evenIfFull'> {
  /** True if the contact center has channels that offer conversations. */
  isOffering: boolean
  channelWeight: number | null
}

/** The weight that the channels from which it came give to a conversation. */
async function channelWeightOf({ sql, conversation }: ConversationChange): Promise<number | null> {
  const rows = await sql.query<{ weight: number | null }>(CHANNEL_WEIGHT, [conversation.caseChannels], 'channel-weight')
  return rows[0]?.weight ?? null
}

const CHANNEL_WEIGHT = reading(`select ${channelWeightSql('c')} as weight from (select $1::uuid[] as case_channels) c`)

/**
 * Checks under the lock of the colleague's row that it is there and has room, and counts what it is given. Who never set
 * an availability is offline only where that matters: in contact centers that offer conversations. Bots that do not take
 * part in availability take everything, unless they are paused.
 * @throws Unprocessable `AGENT_UNAVAILABLE`, `AT_CAPACITY`
 */
function requireTakes(
  change: ConversationChange,
  colleague: Member,
  { evenIfAway, evenIfFull, isOffering, channelWeight }: Taking,
): void {
  const { agentLocks, conversation, participants } = change
  const { userId, role } = colleague
  const lockedAgent = agentLocks.of(userId)
  if (!lockedAgent) return
  const name = colleague.name ?? userId
  if (role === 'bot' && lockedAgent.organization === null) {
    const details = { field: 'user', reason: 'AGENT_UNAVAILABLE', availability: 'offline' } as const
    throw new Unprocessable(`user: ${name} takes no conversations: it is paused`, details)
  }
  if (role === 'bot' && lockedAgent.since === null) return
  if (lockedAgent.availability === 'offline' && (isOffering || lockedAgent.since !== null) && !evenIfAway) {
    const details = { field: 'user', reason: 'AGENT_UNAVAILABLE', availability: 'offline' } as const
    throw new Unprocessable(`user: ${name} is offline; evenIfAway hands it over nevertheless`, details)
  }
  if (participants.get(userId)?.accepted) return
  const weight = weightOf({ ...conversation, channelWeight })
  if (evenIfFull) agentLocks.give(userId, weight)
  else if (!agentLocks.take(userId, weight)) {
    const { load, capacity } = lockedAgent
    const details = { field: 'user', reason: 'AT_CAPACITY', load, capacity, weight } as const
    throw new Unprocessable(`user: ${name} has ${load} of ${capacity} units; the conversation needs ${weight}`, details)
  }
}

function giveTo(change: ConversationChange, colleague: Member, note: MessageRow | null): void {
  const participant = change.join(colleague)
  participant.accepted = true
  putInInbox(participant, 'handedOver', note?.id ?? null)
}

/** Counts the transfer for the channels from which the conversation came. @param to the colleague; null: a queue */
function noteTransfer({ conversation, noted }: ConversationChange, { from, to }: { from: string; to: string | null }) {
  const channels = conversation.caseChannels
  noted.push({ kind: 'transferred', userId: from, ms: null, detail: to === null ? 'queue' : 'agent', channels })
  if (to !== null) noted.push({ kind: 'received', userId: to, ms: null, detail: null, channels })
}

/** Adds a note to the thread, for colleagues. */
function say(change: ConversationChange, { userCaller }: Context, text: string): void {
  change.addMessage({ ...emptyMessage(change.clock.newId()), isBackchannel: true, userId: userCaller.user, text })
}

/** Returns the name of a channel. @throws NotFound as {@link namesOnPath} leaves it out */
async function channelName(change: ConversationChange, sender: Sender, channel: string): Promise<string> {
  const name = (await namesOnPath(change, sender, 'channel', [channel])).get(channel.toLowerCase())
  if (name === undefined) throw recordNotFound('Channel', channel, 'channel')
  return name
}

/**
 * Checks that somebody else in the channel could be offered a conversation that asks for these skills: it would wait for nobody.
 * @throws NotFound naming the first skill that {@link namesOnPath} leaves out; Unprocessable
 */
async function requireSkills(
  change: ConversationChange,
  sender: Sender,
  { user, channel, name, skills }: { user: string; channel: string; name: string; skills: readonly string[] },
): Promise<void> {
  if (skills.length === 0) return
  const known = await namesOnPath(change, sender, 'skill', skills)
  const at = skills.findIndex((id) => !known.has(id))
  if (at >= 0) throw recordNotFound('Skill', skills[at]!, `skills[${at}]`)
  const values = [channel, skills, user, pathOf(change.conversation)]
  const [found] = await change.sql.query<{ offers: boolean; isThere: boolean }>(SKILLED, values, 'skilled-in-channel')
  if (found && !found.offers)
    throw new Unprocessable(`skills: ${name} offers nothing to agents, so skills change nothing there`, {
      field: 'skills',
    })
  if (!found?.isThere)
    throw new Unprocessable(`skills: nobody else in ${name} has them all: ${[...known.values()].join(', ')}`, {
      field: 'skills',
    })
}

const SKILLED = reading(`select coalesce(c.assignment ->> 'mode', 'pull') <> 'pull' as offers,
    exists (select from channel_member m join app_user u on u.id = m.user_id
      where m.channel_id = c.id and m.user_id <> $3 and ${isStaffSql('u')} and u.organization_id = any($4::uuid[])
      and array(select k.skill_id from staff_skill k where k.user_id = m.user_id) @> $2::uuid[]) as "isThere"
  from channel c where c.id = $1`)

/** Reads the names of those records that are of the conversation's organizations, and that the sender sees; by id. */
async function namesOnPath(
  { sql, conversation }: ConversationChange,
  sender: Sender,
  table: 'channel' | 'skill',
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values: unknown[] = [ids.filter(isId), pathOf(conversation)]
  const visible = ownOrAboveSql(sender, 't', values)
  const rows = await sql.query<{ id: string; name: string }>(
    reading(`select t.id, t.name from ${table} t where t.id = any($1::uuid[]) and t.organization_id = any($2::uuid[])
       and ${visible}`),
    values,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
