import type { Columns } from '../../platform/db/columns.js'
import type { User } from './user.js'

/**
 * All columns of a user as stored by the entity, and whether webhooks and lists show them. Columns not marked as shown
 * are hidden, secrets among them.
 */
export const USER_COLUMNS = {
  id: { sql: 'uuid', webhook: 'shown', list: 'order' },
  organizationId: { sql: 'uuid', webhook: 'shown', list: 'filter' },
  org1: { sql: 'uuid', webhook: 'shown' },
  org2: { sql: 'uuid', webhook: 'shown' },
  org3: { sql: 'uuid', webhook: 'shown' },
  familyName: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  givenName: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  additionalName: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  displayName: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  email: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  phone: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  passwordHash: { sql: 'text', written: 'change' },
  avatar: { sql: 'text', written: 'change', webhook: 'shown' },
  role: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  status: { sql: 'text', written: 'change', webhook: 'shown', list: 'order' },
  settings: { sql: 'jsonb', written: 'change', webhook: 'shown', list: 'filter' },
  meta: { sql: 'jsonb', written: 'change', webhook: 'shown', list: 'filter' },
  provider: { sql: 'text', webhook: 'shown', list: 'order' },
  lastLogin: { sql: 'timestamptz', written: 'change', webhook: 'shown', list: 'order' },
  apiScopes: { sql: 'text[]', written: 'change' },
  apiTokenHash: { sql: 'text', written: 'change' },
  apiTokenId: { sql: 'uuid', written: 'change' },
  placedAt: { sql: 'timestamptz', written: 'change' },
  disclosure: { sql: 'jsonb', written: 'change', webhook: 'shown' },
  mask: { sql: 'text[]', written: 'change', webhook: 'shown' },
  createdAt: { sql: 'timestamptz', webhook: 'shown', list: 'order' },
  updatedAt: { sql: 'timestamptz', written: 'change', webhook: 'shown', list: 'order' },
  version: { sql: 'int', written: 'change' },
} satisfies Columns<Omit<User, 'apiToken'>>
