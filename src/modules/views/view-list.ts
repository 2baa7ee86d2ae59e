import type { Context } from '../../platform/context.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { fetchRecord, recordNotFound, type FetchOptions } from '../../platform/lists/fetch-record.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { View } from './view.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  owner: { kind: 'id', sql: 't.owner_id' },
  name: { kind: 'text', sql: 't.name', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const viewList: ListDefinition = {
  table: 'view',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ViewFilter = filterInput('ViewFilter', fields)
export const ViewOrder = orderInput('View', fields)
export const ViewConnection = connectionType('View', () => View)

/** A condition on the views at `t`: shared ones, and the caller's own. */
export const ownOrShared =
  (ctx: Context) =>
  (values: unknown[]): string =>
    `(t.owner_id is null or t.owner_id = $${values.push(ctx.userCaller.user)})`

/** Reads a view: another user's own is not found. @throws NotFound */
export async function fetchView(ctx: Context, id: string, options: FetchOptions = {}): Promise<View> {
  const view = await fetchRecord(ctx, View, id, options)
  if (view.ownerId !== null && view.ownerId !== ctx.userCaller.user) throw recordNotFound('View', id, options.field)
  return view
}
