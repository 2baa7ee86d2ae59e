import { emitContact } from '../contacts/contact-events.js'
import { countryOf } from '../contacts/contact-organization.js'
import { parseProfile } from '../contacts/contact-profile.js'
import { insertContact } from '../contacts/insert-contact.js'
import type { Context } from '../context.js'
import { pathOf, tenantColumns, tenantSql, type OrganizationPath } from '../db/tenancy.js'
import { BadUserInput, NotFound, shown } from '../errors.js'
import { isAbsent, parseText } from '../input.js'
import { parseMeta, type JsonObject } from '../json.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { MESSAGES_MAX, type Touchpoint } from '../messages/message-content.js'
import { draftOf } from '../messages/message-input.js'
import { isId } from '../db/clock.js'
import { Organization } from '../organizations/organization.js'
import { attachStaticForms } from './active-forms.js'
import { setCategory } from './commands/set.js'
import type { ConversationContactInput, CreateConversationInput } from './conversation-input.js'
import type { Aggregate, ConversationState } from './conversation-state.js'
import type { ConversationWork } from './conversation-work.js'
import { suggestMerges } from './merge-suggestions.js'
import { readMembers, senderOf } from './members.js'
import { fantasyName, newSlug } from './names.js'
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
  const messages = readMessages(ctx, input)
  const fresh = freshConversation(ctx, path, input)
  const sender = senderOf(ctx)
  const operation = async (work: ConversationWork): Promise<ConversationState> => {
    const { conversation } = work
    // Tells the messages of the create from later ones, see `checkBotHistory`.
    conversation.createdAt = work.now
    conversation.touchpoint ??= messages[0]?.drafts[0]?.touchpoint ?? null
    if (conversation.type === 'contact') await attachContact(work, ctx, path, input)
    else await joinTeam(work, ctx, input.participants ?? [])
    if (conversation.type === 'contact') await attachStaticForms(work)
    if (!isAbsent(input.category)) await setCategory(work, input.category, 'category')
    conversation.touchpoints = await readTouchpoints(work)
    if (!isAbsent(input.contact?.id)) await suggestMerges(work)
    const schedule = new Schedule(work)
    for (const { drafts } of messages) await schedule.processAll(drafts, { router, sender, isInCreate: true })
    return conversation
  }
  const { alsoLock } = needsOf(messages.flatMap(({ drafts }) => drafts))
  return writer.run(ctx, fresh.conversation.id, operation, { fresh, isAlone: true, alsoLock })
}

/** @throws BadUserInput, also for what is of the other kind of conversation */
function readMessages(ctx: Context, input: CreateConversationInput): AuthorisedDraft[] {
  const { messages, touchpoint, type, contact, participants } = input
  const given = messages ?? []
  if (given.length > MESSAGES_MAX) {
    throw new BadUserInput('messages', `messages has ${given.length} elements; at most ${MESSAGES_MAX} are allowed`)
  }
  const drafts = given.map((message, index) => draftOf(message, `messages[${index}]`))
  if ((type ?? 'contact') !== 'contact') {
    if (!isAbsent(contact)) {
      throw new BadUserInput('contact', `contact must be absent in a conversation of type ${type}`)
    }
  } else if (!isAbsent(participants)) {
    throw new BadUserInput('participants', 'participants must be absent in a conversation of type contact')
  } else if (drafts[0] && isAbsent(touchpoint) && drafts[0].touchpoint === null) {
    // 4.7, rule 3.
    throw new BadUserInput('messages[0].touchpoint', 'messages[0].touchpoint is needed: the conversation has none')
  }
  return authoriseDrafts(ctx, drafts)
}

/** A conversation as it is before anything was said in it. */
export function freshConversation(
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
    forms: [],
    results: [],
    meta: parseMeta(input.meta, 'meta'),
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

/** Null clears. @throws BadUserInput */
export function parseLanguage(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (!/^[a-z]{2}$/.test(value)) {
    throw new BadUserInput('language', `language ${shown(value)} is not two lower-case letters`)
  }
  return value
}

async function attachContact(
  work: ConversationWork,
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
    ? await makeContact(work, ctx, path, contact)
    : await readContact(work, ctx, path, contact.id)
  work.attachContact(id, name, isBlocked)
}

async function makeContact(
  work: ConversationWork,
  ctx: Context,
  path: OrganizationPath,
  { profile: given, meta }: ConversationContactInput,
): Promise<{ id: string; name: string | null; isBlocked: boolean }> {
  const profile = parseProfile(given ?? {}, 'contact.profile', await countryOf(work.sql, path))
  // 4.7, rule 1.
  if (!profile.email && !profile.telephone) {
    throw new BadUserInput('contact.profile', 'contact.profile needs an email or a telephone')
  }
  const contact = await insertContact(work.sql, {
    id: ctx.newId(),
    path,
    profile,
    meta: isAbsent(meta) ? null : parseMeta(meta, 'contact.meta'),
    now: work.now,
  })
  emitContact(work, contact, 'created')
  return { id: contact.id, name: profile.name ?? null, isBlocked: false }
}

async function readContact(
  work: ConversationWork,
  ctx: Context,
  path: OrganizationPath,
  id: string,
): Promise<{ id: string; name: string | null; isBlocked: boolean }> {
  const values: unknown[] = [isId(id) ? id : null, path.at(-1)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await work.sql.query<{ id: string; name: string | null; status: string }>(
    `select t.id, t.profile ->> 'name' as name, t.status from contact t
     where t.id = $1 and t.organization_id = $2 and ${tenant}`,
    values,
  )
  if (!rows[0]) throw new NotFound(`contact.id: Contact ${shown(id)} not found`)
  return { id: rows[0].id, name: rows[0].name, isBlocked: rows[0].status === 'blocked' }
}

async function joinTeam(work: ConversationWork, ctx: Context, users: readonly string[]): Promise<void> {
  const sender = senderOf(ctx)
  if (sender.member) work.join(sender.member).active = true
  const members = await readMembers(work.sql, sender, work.conversation, users, 'participants[]')
  for (const member of members) work.join(member)
}

/** Which ways lead to the contact (2.8): its identifiers, and the organization's services of that kind. */
export async function readTouchpoints(work: ConversationWork): Promise<JsonObject> {
  const { conversation, sql } = work
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
