import { parseProfile, type StoredProfile } from '../../contacts/contact-profile.js'
import type { ContactStatus } from '../../contacts/contact.js'
import type { Context } from '../../context.js'
import { pathOf, tenantColumns, tenantSql, type OrganizationPath } from '../../db/tenancy.js'
import { BadUserInput, NotFound, quoteValue } from '../../errors.js'
import { isAbsent, parseText } from '../../input.js'
import { parseMeta, type JsonObject } from '../../json.js'
import { fetchRecord } from '../../lists/fetch-record.js'
import { MESSAGES_MAX } from '../../messages/message-content.js'
import { sentDraftOf } from './sent-draft.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { isId } from '../../db/clock.js'
import { reading } from '../../db/sql.js'
import { Organization } from '../../organizations/organization.js'
import { setCategory } from '../commands/set.js'
import { askAhead, beginWithContact, countryFor } from './begin-conversation.js'
import type { ConversationContactInput, CreateConversationInput } from './conversation-input.js'
import type { Aggregate, ConversationState } from '../writing/conversation-state.js'
import type { ConversationType } from '../writing/conversation-enums.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { requireTouchpoint } from './require-touchpoint.js'
import { suggestMerges } from '../messages/merge-suggestions.js'
import { readMembers, senderOf } from '../messages/members.js'
import { fantasyName, newSlug } from '../writing/names.js'
import { authoriseDrafts, runMessages, Schedule, type AuthorisedDraft, type SendDependencies } from './send-message.js'

/**
 * Creates a conversation and processes its messages in order, in one transaction; delayed ones become jobs (4.7).
 * @throws BadUserInput, NotFound; ContactExists naming the contact and its conversation
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
  const drafts = messages.flatMap((message) => message.drafts)
  const operation = async (draft: ConversationDraft): Promise<ConversationState> => {
    const { conversation } = draft
    // Distinguishes messages of the create from later ones, see `checkBotHistory`.
    conversation.createdAt = draft.now
    conversation.touchpoint ??= drafts.find(({ touchpoint }) => touchpoint !== null)?.touchpoint ?? null
    if (conversation.type === 'contact') await takeContact(draft, ctx, path, input)
    else await joinTeam(draft, ctx, input.participants ?? [])
    if (!isAbsent(input.category)) await setCategory(draft, input.category, 'category')
    if (!isAbsent(input.contact?.id)) await suggestMerges(draft)
    const schedule = new Schedule(draft, drafts.length)
    for (const { drafts } of messages) await schedule.processAll(drafts, { router, sender, isInCreate: true })
    return conversation
  }
  const cost = CREATE_COST + drafts.length
  const work = { drafts, operation }
  return runMessages(writer, ctx, newAggregate.conversation.id, work, { newAggregate, cost })
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
function readMessages(ctx: Context, input: CreateConversationInput & { type: ConversationType }): AuthorisedDraft[] {
  const { messages, touchpoint, type, contact, participants } = input
  const given = messages ?? []
  if (given.length > MESSAGES_MAX) {
    throw new BadUserInput('messages', `messages has ${given.length} elements; at most ${MESSAGES_MAX} are allowed`)
  }
  const drafts = given.map((message, index) => sentDraftOf(ctx, message, `messages[${index}]`))
  if (type !== 'contact') {
    if (!isAbsent(contact)) {
      throw new BadUserInput('contact', `contact must be absent in a conversation of type ${type}`)
    }
  } else if (!isAbsent(participants)) {
    throw new BadUserInput('participants', 'participants must be absent in a conversation of type contact')
  }
  requireTouchpoint({ type, touchpoint: touchpoint ?? null }, drafts, (index) => `messages[${index}].`)
  return authoriseDrafts(ctx, drafts)
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
    lastMessageId: null,
    lastMessageAt: null,
    lastMessageRole: null,
    preview: null,
    version: 0,
    milestoneCount: 0,
    caseAt: null,
    caseTurns: 0,
    caseChannels: [],
    waitingSince: null,
    hoursTold: false,
    hoursToldUntil: null,
    unansweredSince: null,
    sla: null,
    nextDue: null,
    riskAt: null,
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
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  { contact, messages }: CreateConversationInput,
): Promise<void> {
  if (isAbsent(contact)) throw new BadUserInput('contact', 'contact is required in a conversation of type contact')
  if (!isAbsent(contact.id) && !(isAbsent(contact.profile) && isAbsent(contact.meta))) {
    throw new BadUserInput('contact.id', 'contact.id names an existing contact: profile and meta must be absent')
  }
  askAhead(draft, messages?.some(({ role }) => role === 'contact') ?? false)
  if (isAbsent(contact.id)) return beginWithContact(draft, await makeContact(draft, ctx, path, contact))
  const found = await readContact(draft, ctx, path, contact.id)
  draft.attachContact(found.id, found.name, found.status === 'blocked')
  await beginWithContact(draft, found)
}

async function makeContact(
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  { profile: given, meta }: ConversationContactInput,
): Promise<StoredProfile> {
  const profile = parseProfile(given ?? {}, 'contact.profile', await countryFor(draft))
  // 4.7, rule 1.
  if (!profile.email && !profile.telephone) {
    throw new BadUserInput('contact.profile', 'contact.profile requires an email or a telephone')
  }
  draft.addContact({
    id: ctx.newId(),
    path,
    profile,
    meta: isAbsent(meta) ? null : parseMeta(meta, 'contact.meta'),
    now: draft.now,
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
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  id: string,
): Promise<FoundContact> {
  const values: unknown[] = [isId(id) ? id : null, path.at(-1)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await draft.sql.query<FoundContact>(
    reading(`select t.id, t.profile ->> 'name' as name, t.email, t.telephone, t.status from contact t
     where t.id = $1 and t.organization_id = $2 and ${tenant}`),
    values,
  )
  if (!rows[0]) throw new NotFound(`contact.id: Contact ${quoteValue(id)} not found`)
  return rows[0]
}

async function joinTeam(draft: ConversationDraft, ctx: Context, users: readonly string[]): Promise<void> {
  const sender = senderOf(ctx)
  if (sender.member) draft.join(sender.member).active = true
  const members = await readMembers(draft.sql, sender, draft.conversation, users, 'participants[]')
  for (const member of members) draft.join(member)
}
