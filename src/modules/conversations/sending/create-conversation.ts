import { parseProfile, type StoredProfile } from '../../contacts/contact-profile.js'
import { ContactExists } from '../../contacts/insert-contact.js'
import type { ContactStatus } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import { pathOf, tenantColumns, tenantSql, type OrganizationPath } from '../../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, renamedError } from '../../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../../platform/input.js'
import { parseMeta, type JsonObject } from '../../../platform/json.js'
import { fetchRecord, recordNotFound } from '../../../platform/lists/fetch-record.js'
import { MESSAGES_MAX } from '../../messages/message-content.js'
import { parseSentMessage } from './sent-message.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { Organization } from '../../organizations/organization.js'
import { setCategory } from '../commands/set.js'
import { askAhead, beginWithContact, countryFor } from './begin-conversation.js'
import { PARTICIPANTS_MAX, type ConversationContactInput, type CreateConversationInput } from './conversation-input.js'
import type { Aggregate, ConversationState } from '../state/conversation-state.js'
import type { ConversationType } from '../state/conversation-enums.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { requireTouchpoint } from './require-touchpoint.js'
import { suggestMerges } from '../messages/merge-suggestions.js'
import { readMembers, senderOf } from '../messages/members.js'
import { fantasyName, newSlug } from '../state/names.js'
import {
  authoriseMessages,
  runMessages,
  Schedule,
  type AuthorisedMessage,
  type SendDependencies,
} from './send-message.js'

/**
 * Creates a conversation and processes its messages in order, in one transaction; delayed ones become jobs (4.7).
 * @throws BadUserInput, NotFound; Unprocessable naming the contact that exists and its conversation
 */
export async function createConversation(
  { writer, router }: SendDependencies,
  ctx: Context,
  input: CreateConversationInput,
): Promise<ConversationState> {
  const path = await readPath(ctx, input.organization)
  const type = input.type ?? impliedType(ctx, input)
  const messages = readMessages(ctx, { ...input, type })
  const newAggregate = newConversationAggregate(ctx, path, { ...input, type })
  const sender = senderOf(ctx)
  const newMessages = messages.flatMap((message) => message.newMessages)
  const operation = async (change: ConversationChange): Promise<ConversationState> => {
    const { conversation } = change
    await change.grants.require('other')
    // Distinguishes messages of the create from later ones, see `checkBotHistory`.
    conversation.createdAt = change.now
    conversation.touchpoint ??= newMessages.find(({ touchpoint }) => touchpoint !== null)?.touchpoint ?? null
    if (conversation.type === 'contact') await takeContact(change, ctx, path, input)
    else await joinTeam(change, ctx, input.participants ?? [])
    if (!isAbsent(input.category)) await setCategory(change, input.category, 'category')
    if (!isAbsent(input.contact?.id)) await suggestMerges(change)
    const schedule = new Schedule(change, newMessages.length)
    for (const { newMessages } of messages) await schedule.processAll(newMessages, { router, sender, isInCreate: true })
    return conversation
  }
  const work = { newMessages, operation }
  const options = { newAggregate, kind: 'create', cost: CREATE_COST }
  return runMessages(writer, ctx, newAggregate.conversation.id, work, options).catch((error: unknown) => {
    // As the contact was given here.
    throw error instanceof ContactExists ? renamedError(error, /^profile\./g, 'contact.profile.') : error
  })
}

/** Cost of a create in addition to its messages, in sends. */
const CREATE_COST = 1

/** Returns the path of an organization. @throws NotFound for an organization that is not among the caller's tenants */
async function readPath(ctx: Context, organization: string | null | undefined): Promise<OrganizationPath> {
  // Read a moment ago with the caller's credentials.
  if (isAbsent(organization) || organization === ctx.caller.organization) return ctx.caller.path
  return pathOf(await fetchRecord(ctx, Organization, organization, { field: 'organization' }))
}

/**
 * Returns the type of a conversation with a name and messages but neither contact nor touchpoint: a team conversation
 * (open points), depending on who creates it.
 */
function impliedType(ctx: Context, { contact, touchpoint, name, messages }: CreateConversationInput): ConversationType {
  const saysSomething = !isAbsent(name) || !isAbsent(messages)
  if (!isAbsent(contact) || !isAbsent(touchpoint) || !saysSomething) return 'contact'
  return ctx.userCaller.isBot ? 'bot' : 'agent'
}

/** Parses the messages. @throws BadUserInput, also for fields that this type of conversation does not have */
function readMessages(ctx: Context, input: CreateConversationInput & { type: ConversationType }): AuthorisedMessage[] {
  const { messages, touchpoint, type, contact, participants } = input
  const given = messages ?? []
  if (given.length > MESSAGES_MAX) {
    throw new BadUserInput('messages', `messages has ${given.length} elements; at most ${MESSAGES_MAX} are allowed`)
  }
  const newMessages = given.map((message, index) => parseSentMessage(ctx, message, `messages[${index}]`))
  for (const { mark } of newMessages) {
    if (mark) throw new BadUserInput(mark.field, `${mark.field} must be absent: a new conversation has no mark`)
  }
  if (type !== 'contact') {
    if (!isAbsent(contact)) {
      throw new BadUserInput('contact', `contact must be absent in a conversation of type ${type}`)
    }
    if (!isAbsent(participants)) parseList(participants, 'participants', PARTICIPANTS_MAX)
  } else if (!isAbsent(participants)) {
    throw new BadUserInput('participants', 'participants must be absent in a conversation of type contact')
  }
  requireTouchpoint({ type, touchpoint: touchpoint ?? null }, newMessages, (index) => `messages[${index}].`)
  return authoriseMessages(ctx, newMessages)
}

/** Returns a conversation without messages. */
export function newConversationAggregate(
  ctx: Context,
  path: OrganizationPath,
  input: Omit<CreateConversationInput, 'contact' | 'messages' | 'participants'>,
): Aggregate {
  const type = input.type ?? 'contact'
  const now = ctx.now()
  const conversation: ConversationState = {
    id: ctx.newId(),
    ...tenantColumns(path),
    type,
    name: isAbsent(input.name) ? fantasyName() : parseText(input.name, 'name', { min: 1, max: 200 }),
    slug: newSlug(),
    // Nobody waits until a message or a command says so (3.1); in a team conversation nobody ever does.
    status: type === 'contact' ? 'closed' : 'active',
    contactId: null,
    touchpoint: input.touchpoint ?? null,
    touchpoints: {},
    touchpointChosen: false,
    category: null,
    categoryIndex: null,
    language: parseLanguage(input.language),
    channels: [],
    channelsOffline: [],
    taskChannels: [],
    forms: [],
    results: [],
    meta: readMeta(input.meta),
    createdById: ctx.maybeCaller?.kind === 'user' ? ctx.maybeCaller.user : null,
    queuedAt: null,
    queueing: 0,
    routingRemainder: null,
    offerId: null,
    offerUserId: null,
    offerUntil: null,
    offerAt: null,
    needs: null,
    urgency: 0,
    awaitingReply: false,
    messageCount: 0,
    turn: 0,
    turnBy: null,
    turnOther: 0,
    lastMessageId: null,
    lastMessageAt: null,
    lastMessageRole: null,
    preview: null,
    version: 0,
    milestoneCount: 0,
    caseAt: null,
    caseTurns: 0,
    caseChannels: [],
    caseBots: {},
    waitingSince: null,
    hoursTold: false,
    hoursToldUntil: null,
    unansweredSince: null,
    sla: null,
    nextDue: null,
    riskAt: null,
    labels: [],
    undelivered: 0,
    closedAt: null,
    snoozedUntil: null,
    snoozedBy: null,
    snoozedAt: null,
    handOverNoteId: null,
    proposals: null,
    createdAt: now,
    updatedAt: now,
  }
  return { conversation, participants: new Map(), contactName: null, isContactBlocked: false }
}

function readMeta(given: JsonObject | null | undefined): JsonObject {
  const meta = parseMeta(given, 'meta')
  checkPage(meta, 'meta')
  return meta
}

/** Parses a language; null clears. @throws BadUserInput */
export function parseLanguage(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (!/^[a-z]{2}$/.test(value)) {
    throw new BadUserInput('language', `language ${quoteValue(value)} is not two lower-case letters`)
  }
  return value
}

async function takeContact(
  change: ConversationChange,
  ctx: Context,
  path: OrganizationPath,
  { contact, messages }: CreateConversationInput,
): Promise<void> {
  if (isAbsent(contact))
    throw new BadUserInput('contact', 'contact is required in a conversation of type contact', 'MISSING_VALUE')
  if (!isAbsent(contact.id) && !(isAbsent(contact.profile) && isAbsent(contact.meta))) {
    throw new BadUserInput('contact.id', 'contact.id names an existing contact: profile and meta must be absent')
  }
  askAhead(change, messages?.some(({ role }) => role === 'contact') ?? false)
  if (isAbsent(contact.id)) return beginWithContact(change, await makeContact(change, ctx, path, contact))
  const found = await readContact(change, ctx, path, contact.id)
  change.attachContact(found.id, found.name, found.status === 'blocked')
  await beginWithContact(change, found)
}

async function makeContact(
  change: ConversationChange,
  ctx: Context,
  path: OrganizationPath,
  { profile: given, meta }: ConversationContactInput,
): Promise<StoredProfile> {
  const profile = parseProfile(given ?? {}, 'contact.profile', await countryFor(change))
  // 4.7, rule 1.
  if (!profile.email && !profile.telephone) {
    throw new BadUserInput('contact.profile', 'contact.profile requires an email or a telephone')
  }
  change.addContact({
    id: ctx.newId(),
    path,
    profile,
    meta: isAbsent(meta) ? null : parseMeta(meta, 'contact.meta'),
    now: change.now,
  })
  return profile
}

interface FoundContact {
  id: string
  name: string | null
  email: string | null
  telephone: string | null
  status: ContactStatus
}

async function readContact(
  change: ConversationChange,
  ctx: Context,
  path: OrganizationPath,
  id: string,
): Promise<FoundContact> {
  const values: unknown[] = [isId(id) ? id : null, path.at(-1)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await change.sql.query<FoundContact>(
    reading(`select t.id, t.profile ->> 'name' as name, t.email, t.telephone, t.status from contact t
     where t.id = $1 and t.organization_id = $2 and t.erasing_at is null and ${tenant}`),
    values,
  )
  if (!rows[0]) throw recordNotFound('Contact', id, 'contact.id')
  return rows[0]
}

async function joinTeam(change: ConversationChange, ctx: Context, users: readonly string[]): Promise<void> {
  const sender = senderOf(ctx)
  if (sender.member) change.join(sender.member).active = true
  const members = await readMembers(change.sql, sender, change.conversation, users, 'participants[]')
  for (const member of members) change.join(member)
}
