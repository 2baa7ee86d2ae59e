import { countryOf } from '../../contacts/contact-organization.js'
import { reading } from '../../db/sql.js'
import type { JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-enums.js'
import { pathOf } from '../../db/tenancy.js'
import { attachStaticForms } from '../messages/active-forms.js'
import { readStaticForms } from '../messages/read-forms.js'
import { readOrganizationFacts } from '../routing/routing-facts.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

/** Identifiers of a contact that do not depend on a service. */
interface Identifiers {
  email?: string | null
  telephone?: string | null
}

/**
 * Prefetches what every new conversation of an organization needs: once for all creates in a transaction, and in one
 * round trip.
 * @param isRouted whether a consumer's message is going to queue the conversation
 */
export function askAhead(draft: ConversationDraft, isRouted: boolean): void {
  if (isRouted) void readOrganizationFacts(draft)
  void countryFor(draft)
  void readStaticForms(draft)
  void touchpointServices(draft)
}

/** Returns the country in which to interpret the contact's telephone number. */
export function countryFor({ sql, shared, conversation }: ConversationDraft): Promise<string | null> {
  const path = pathOf(conversation)
  return shared.once(`country of ${path.join()}`, () => countryOf(sql, path))
}

/**
 * Initializes a new conversation: the organization's static forms, and the touchpoints that reach the contact (2.8).
 */
export async function beginWithContact(draft: ConversationDraft, contact: Identifiers): Promise<void> {
  await attachStaticForms(draft)
  draft.conversation.touchpoints = touchpointsOf(draft, contact, await touchpointServices(draft))
}

/** Returns the touchpoints that reach the contact, from its identifiers and the organization's services. */
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

/** Reads the organization's own active services that deliver messages. */
function touchpointServices({
  sql,
  shared,
  conversation: { organizationId },
}: ConversationDraft): Promise<Map<Touchpoint, string[]>> {
  return shared.once(`touchpoints of ${organizationId}`, async () => {
    const rows = await sql.query<{ type: Touchpoint; services: string[] }>(
      reading(`select type, array_agg(id order by id) as services from service
       where organization_id = $1 and status = 'active' and type in ('web', 'email', 'sms', 'messenger') group by type`),
      [organizationId],
      'touchpoint-services',
    )
    return new Map(rows.map(({ type, services }) => [type, services]))
  })
}
