import { countryOf } from '../../contacts/contact-organization.js'
import { reading } from '../../../platform/db/sql.js'
import type { JsonObject } from '../../../platform/json.js'
import { TOUCHPOINTS, traitsOf, type Touchpoint } from '../../touchpoint-traits.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { attachStaticForms } from '../messages/active-forms.js'
import { readStaticForms } from '../messages/read-forms.js'
import { readOrganizationFacts } from '../routing/routing-facts.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'

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
export function askAhead(change: ConversationChange, isRouted: boolean): void {
  if (isRouted) void readOrganizationFacts(change)
  void countryFor(change)
  void readStaticForms(change)
  void touchpointServices(change)
}

/** Returns the country in which to interpret the contact's telephone number. */
export function countryFor({ sql, shared, conversation }: ConversationChange): Promise<string | null> {
  const path = pathOf(conversation)
  return shared.once(`country of ${path.join()}`, () => countryOf(sql, path))
}

/**
 * Initializes a new conversation: the organization's static forms, and the touchpoints that reach the contact (2.8).
 */
export async function beginWithContact(change: ConversationChange, contact: Identifiers): Promise<void> {
  await attachStaticForms(change)
  change.conversation.touchpoints = touchpointsOf(change, contact, await touchpointServices(change))
}

/** Returns the touchpoints that reach the contact, from its identifiers and the organization's services. */
function touchpointsOf(
  { conversation }: ConversationChange,
  { email, telephone }: Identifiers,
  services: ReadonlyMap<Touchpoint, string[]>,
): JsonObject {
  const known = { session: null, handle: null, email, telephone }
  const selected = conversation.touchpoint
  const reaching = TOUCHPOINTS.filter(
    (each) => known[traitsOf(each).address] || services.has(each) || each === selected,
  )
  return Object.fromEntries(
    reaching.map((each) => [each, { services: services.get(each) ?? [], selected: each === selected }]),
  )
}

/** Reads the organization's own active services that deliver messages. */
function touchpointServices({
  sql,
  shared,
  conversation: { organizationId },
}: ConversationChange): Promise<Map<Touchpoint, string[]>> {
  return shared.once(`touchpoints of ${organizationId}`, async () => {
    const rows = await sql.query<{ touchpoint: Touchpoint; services: string[] }>(
      reading(`select touchpoint, array_agg(id order by id) as services from service
       where organization_id = $1 and ${isServiceInUseSql()} and touchpoint is not null group by touchpoint`),
      [organizationId],
      'touchpoint-services',
    )
    return new Map(rows.map(({ touchpoint, services }) => [touchpoint, services]))
  })
}
