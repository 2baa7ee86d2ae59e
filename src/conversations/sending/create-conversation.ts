import { emitContact } from '../../contacts/contact-events.js'
import { countryOf } from '../../contacts/contact-organization.js'
import { parseProfile } from '../../contacts/contact-profile.js'
import { insertContact } from '../../contacts/insert-contact.js'
import type { Context } from '../../context.js'
import { pathOf, tenantColumns, tenantSql, type OrganizationPath } from '../../db/tenancy.js'
import { BadUserInput, NotFound, quoteValue } from '../../errors.js'
import { isAbsent, parseText } from '../../input.js'
import { parseMeta, type JsonObject } from '../../json.js'
import { fetchRecord } from '../../lists/fetch-record.js'
import { MESSAGES_MAX, type Touchpoint } from '../../messages/message-content.js'
import { draftOf } from '../../messages/message-input.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { isId } from '../../db/clock.js'
import { Organization } from '../../organizations/organization.js'
import { attachStaticForms } from '../messages/active-forms.js'
import { setCategory } from '../commands/set.js'
import type { ConversationContactInput, CreateConversationInput } from './conversation-input.js'
import type { Aggregate, ConversationState, ConversationType } from '../writing/conversation-state.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { requireTouchpoint } from '../delivery/require-touchpoint.js'
import { suggestMerges } from '../messages/merge-suggestions.js'
import { readMembers, senderOf } from '../messages/members.js'
import { fantasyName, newSlug } from '../writing/names.js'
import { authoriseDrafts, needsOf, Schedule, type AuthorisedDraft, type SendDependencies } from './send-message.js'

/**
 * Makes a conversation and processes its messages in order, in one transaction; delayed ones become jobs (4.7).
 * @throws BadUserInput, NotFound; ContactExists naming the contact and its conversation.
 */
export async function createConversation(
  { writer, router }: SendDependencies,
  ctx: Context,
  input: CreateConversationInput,
): Promise<ConversationState> {
  const organization = await fetchRecord(ctx, Organization, input.organization ?? ctx.caller.organization, {
    field: 'organization',
  })
  const path = pathOf(organization)
  const type = input.type ?? impliedType(ctx, input)
  const messages = readMessages(ctx, { ...input, type })
  const newAggregate = newConversationAggregate(ctx, path, { ...input, type })
  const sender = senderOf(ctx)
  const operation = async (draft: ConversationDraft): Promise<ConversationState> => {
    const { conversation } = draft
    // Tells the messages of the create from later ones, see `checkBotHistory`.
    conversation.createdAt = draft.now
    const drafts = messages.flatMap((message) => message.drafts)
    conversation.touchpoint ??= drafts.find(({ touchpoint }) => touchpoint !== null)?.touchpoint ?? null
    if (conversation.type === 'contact') await attachContact(draft, ctx, path, input)
    else await joinTeam(draft, ctx, input.participants ?? [])
    if (conversation.type === 'contact') await attachStaticForms(draft)
    if (!isAbsent(input.category)) await setCategory(draft, input.category, 'category')
    conversation.touchpoints = await readTouchpoints(draft)
    if (!isAbsent(input.contact?.id)) await suggestMerges(draft)
    const schedule = new Schedule(draft)
    for (const { drafts } of messages) await schedule.processAll(drafts, { router, sender, isInCreate: true })
    return conversation
  }
  const { alsoLock } = needsOf(messages.flatMap(({ drafts }) => drafts))
  return writer.run(ctx, newAggregate.conversation.id, operation, { newAggregate, isExclusive: true, alsoLock })
}

/**
 * A conversation of a name and messages, with no contact and no touchpoint, is one of a team (open points), of the kind
 * of who makes it.
 */
function impliedType(ctx: Context, { contact, touchpoint, name, messages }: CreateConversationInput): ConversationType {
  const saysSomething = !isAbsent(name) || !isAbsent(messages)
  if (!isAbsent(contact) || !isAbsent(touchpoint) || !saysSomething) return 'contact'
  return ctx.userCaller.isBot ? 'bot' : 'agent'
}

/** @throws BadUserInput, also for what is of the other kind of conversation */
function readMessages(ctx: Context, input: CreateConversationInput & { type: ConversationType }): AuthorisedDraft[] {
  const { messages, touchpoint, type, contact, participants } = input
  const given = messages ?? []
  if (given.length > MESSAGES_MAX) {
    throw new BadUserInput('messages', `messages has ${given.length} elements; at most ${MESSAGES_MAX} are allowed`)
  }
  const drafts = given.map((message, index) => draftOf(message, `messages[${index}]`))
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

/** A conversation as it is before anything was said in it. */
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
    // Nobody waits until a message or a command says so (3.1); a team conversation has nobody to wait for.
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
    awaitingReply: false,
    messageCount: 0,
    lastMessageId: null,
    lastMessageAt: null,
    lastMessageRole: null,
    preview: null,
    version: 0,
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

/** Null clears. @throws BadUserInput */
export function parseLanguage(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (!/^[a-z]{2}$/.test(value)) {
    throw new BadUserInput('language', `language ${quoteValue(value)} is not two lower-case letters`)
  }
  return value
}

async function attachContact(
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  input: CreateConversationInput,
): Promise<void> {
  const { contact } = input
  if (isAbsent(contact)) throw new BadUserInput('contact', 'contact is needed in a conversation of type contact')
  if (!isAbsent(contact.id) && !(isAbsent(contact.profile) && isAbsent(contact.meta))) {
    throw new BadUserInput('contact.id', 'contact.id names an existing contact: profile and meta must be absent')
  }
  const { id, name, isBlocked } = isAbsent(contact.id)
    ? await makeContact(draft, ctx, path, contact)
    : await readContact(draft, ctx, path, contact.id)
  draft.attachContact(id, name, isBlocked)
}

async function makeContact(
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  { profile: given, meta }: ConversationContactInput,
): Promise<{ id: string; name: string | null; isBlocked: boolean }> {
  const profile = parseProfile(given ?? {}, 'contact.profile', await countryOf(draft.sql, path))
  // 4.7, rule 1.
  if (!profile.email && !profile.telephone) {
    throw new BadUserInput('contact.profile', 'contact.profile needs an email or a telephone')
  }
  const contact = await insertContact(draft.sql, {
    id: ctx.newId(),
    path,
    profile,
    meta: isAbsent(meta) ? null : parseMeta(meta, 'contact.meta'),
    now: draft.now,
  })
  emitContact(draft, contact, 'created')
  return { id: contact.id, name: profile.name ?? null, isBlocked: false }
}

async function readContact(
  draft: ConversationDraft,
  ctx: Context,
  path: OrganizationPath,
  id: string,
): Promise<{ id: string; name: string | null; isBlocked: boolean }> {
  const values: unknown[] = [isId(id) ? id : null, path.at(-1)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await draft.sql.query<{ id: string; name: string | null; status: string }>(
    `select t.id, t.profile ->> 'name' as name, t.status from contact t
     where t.id = $1 and t.organization_id = $2 and ${tenant}`,
    values,
  )
  if (!rows[0]) throw new NotFound(`contact.id: Contact ${quoteValue(id)} not found`)
  return { id: rows[0].id, name: rows[0].name, isBlocked: rows[0].status === 'blocked' }
}

async function joinTeam(draft: ConversationDraft, ctx: Context, users: readonly string[]): Promise<void> {
  const sender = senderOf(ctx)
  if (sender.member) draft.join(sender.member).active = true
  const members = await readMembers(draft.sql, sender, draft.conversation, users, 'participants[]')
  for (const member of members) draft.join(member)
}

/** Which ways lead to the contact (2.8): its identifiers, and the organization's services of that kind. */
export async function readTouchpoints(draft: ConversationDraft): Promise<JsonObject> {
  const { conversation, sql } = draft
  if (conversation.type !== 'contact') return {}
  const rows = await sql.query<{ type: Touchpoint; services: string[]; is_known: boolean }>(
    `select t.type, coalesce(array_agg(s.id) filter (where s.id is not null), '{}') as services,
            (t.type = 'email' and c.email is not null or t.type = 'sms' and c.telephone is not null) as is_known
     from contact c cross join (values ('web'), ('email'), ('sms'), ('messenger')) as t(type)
     left join service s on s.organization_id = $2 and s.type = t.type and s.status = 'active'
     where c.id = $1 group by t.type, c.email, c.telephone`,
    [conversation.contactId, conversation.organizationId],
  )
  const selected = conversation.touchpoint
  const known = rows.filter((row) => row.is_known || row.services.length > 0 || row.type === selected)
  return Object.fromEntries(known.map(({ type, services }) => [type, { services, selected: type === selected }]))
}
