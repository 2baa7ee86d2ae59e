import { describe, expect, it } from '@jest/globals'
import { columnsShown, guestViewFor, shownRowSql, viewFor } from '../../src/platform/db/columns.js'
import { columnFields } from '../../src/platform/lists/column-fields.js'
import { USER_COLUMNS } from '../../src/modules/users/user-columns.js'

interface Row {
  id: string
  ownerId: string | null
  secret: string | null
  marks: string[]
  createdAt: Date
}
const COLUMNS = {
  id: { sql: 'uuid', guest: 'shown', events: 'shown', webhook: 'shown', list: 'order' },
  ownerId: { sql: 'uuid', events: 'shown', list: 'filter' },
  secret: { sql: 'text', written: 'change' },
  marks: { sql: 'text[]', guest: () => [] },
  createdAt: { sql: 'timestamptz', guest: (at: Date) => new Date(at.setUTCHours(0, 0, 0, 0)), webhook: 'shown' },
} as const
const row = (): Row => {
  return { id: 'x', ownerId: 'y', secret: 'z', marks: ['m'], createdAt: new Date('2026-01-02T03:04:05Z') }
}

describe("a record's table of columns", () => {
  it('hides columns from guests unless they are declared as shown', () => {
    const createdAt = new Date('2026-01-02T00:00:00Z')
    const shown = { id: 'x', ownerId: null, secret: null, marks: [], createdAt }
    expect(guestViewFor<Row>(COLUMNS)(row())).toEqual(shown)
    // A column of the database that the table does not know is nobody's.
    expect(guestViewFor<Row>(COLUMNS)({ ...row(), ...{ extra: 1 } })).toEqual(shown)
  })

  it('omits columns from events and webhooks unless they are declared as shown', () => {
    expect(viewFor<Row, typeof COLUMNS, 'events'>(COLUMNS, 'events')(row())).toEqual({ id: 'x', ownerId: 'y' })
    expect(shownRowSql(COLUMNS, 'webhook', 'r')).toBe("jsonb_build_object('id', r.id, 'created_at', r.created_at)")
  })

  it('names references in lists without `Id`, and sorts by declared columns', () => {
    expect(columnFields(COLUMNS)).toEqual({
      id: { kind: 'id', sql: 't.id', sortable: true },
      owner: { kind: 'id', sql: 't.owner_id' },
    })
  })

  it('publishes no secrets of a user', () => {
    const hidden = ['passwordHash', 'apiTokenHash', 'apiTokenId', 'apiScopes']
    expect(columnsShown(USER_COLUMNS, 'webhook').filter((property) => hidden.includes(property))).toEqual([])
  })
})
