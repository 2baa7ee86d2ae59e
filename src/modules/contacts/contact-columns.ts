import type { Columns } from '../../platform/db/columns.js'
import type { Contact } from './contact.js'

/**
 * All columns of a contact, and who sees them. Statements, events, webhooks and list filters derive from this table; a
 * column is hidden unless it says otherwise.
 */
export const CONTACT_COLUMNS = {
  id: { sql: 'uuid', webhook: 'shown', list: 'order' },
  organizationId: { sql: 'uuid', webhook: 'shown', list: 'filter' },
  org1: { sql: 'uuid', webhook: 'shown' },
  org2: { sql: 'uuid', webhook: 'shown' },
  org3: { sql: 'uuid', webhook: 'shown' },
  profile: { sql: 'jsonb', written: 'change', events: 'shown', webhook: 'shown' },
  // Copies of the profile's values, which lists find by index.
  email: { sql: 'text', written: 'change', list: 'order' },
  telephone: { sql: 'text', written: 'change', list: 'order' },
  meta: { sql: 'jsonb', written: 'change', events: 'shown', webhook: 'shown', list: 'filter' },
  status: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown', list: 'order' },
  address: { sql: 'text', written: 'change' },
  erasingAt: { sql: 'timestamptz', written: 'change' },
  createdAt: { sql: 'timestamptz', webhook: 'shown', list: 'order' },
  updatedAt: { sql: 'timestamptz', written: 'change', webhook: 'shown', list: 'order' },
  version: { sql: 'int', written: 'change' },
} as const satisfies Columns<Contact>
