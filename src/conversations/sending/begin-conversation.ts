import { countryOf } from '../../contacts/contact-organization.js'
import type { JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-enums.js'
import { pathOf } from '../../db/tenancy.js'
import { attachStaticForms } from '../messages/active-forms.js'
import { readStaticForms } from '../messages/read-forms.js'
import { readOrganizationFacts } from '../routing/routing-facts.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

/** What a contact is known by beside its services' own names for it. */
interface Identifiers {
  email?: string | null
  telephone?: string | null
}

/**
 * Asks for what every conversation of an organization begins with: once for all that begin in one transaction, and in
 * one round trip.
 * @param isRouted a consumer's message is going to queue it
 */
export function askAhead(draft: ConversationDraft, isRouted: boolean): void {
  if (isRouted) void readOrganizationFacts(draft)
  void countryFor(draft)
  void readStaticForms(draft)
  void touchpointServices(draft)
}

/** For the contact's telephone number. */
export function countryFor({ sql, shared, conversation }: ConversationDraft): Promise<string | null> {
  const path = pathOf(conversation)
  return shared.once(`country of ${path.join()}`, () => countryOf(sql, path))
}

/** Gives a new conversation what its organization has for each: the static forms, and the ways to the contact (2.8). */
export async function beginWithContact(draft: ConversationDraft, contact: Identifiers): Promise<void> {
  await attachStaticForms(draft)
  draft.conversation.touchpoints = touchpointsOf(draft, contact, await touchpointServices(draft))
}

/** Which ways lead to the contact: its identifiers, and the organization's services of that kind. */
function touchpointsOf(
  { conversation }: ConversationDraft,
  { email, telephone }: Identifiers,
  services: ReadonlyMap<Touchpoint, string[]>,
): JsonObject {
  const isKnown: Record<Touchpoint, boolean> = { web: false, email: !!email, sms: !!telephone, messenger: false }
  const selected = conversation.touchpoint
  const known = (Object.keys(isKnown) as Touchpoint[]).filter(
    (type) => isKnown[type] || services.has(type) || type === selected,
  )
  return Object.fromEntries(
    known.map((type) => [type, { services: services.get(type) ?? [], selected: type === selected }]),
  )
}

/** The organization's own active services that carry messages. */
function touchpointServices({
  sql,
  shared,
  conversation: { organizationId },
}: ConversationDraft): Promise<Map<Touchpoint, string[]>> {
  return shared.once(`touchpoints of ${organizationId}`, async () => {
    const rows = await sql.query<{ type: Touchpoint; services: string[] }>(
      `select type, array_agg(id order by id) as services from service
       where organization_id = $1 and status = 'active' and type in ('web', 'email', 'sms', 'messenger') group by type`,
      [organizationId],
      'touchpoint-services',
    )
    return new Map(rows.map(({ type, services }) => [type, services]))
  })
}
