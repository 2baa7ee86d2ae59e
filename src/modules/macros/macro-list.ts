import type { Context } from '../../platform/context.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { fetchRecord, recordNotFound, type FetchOptions } from '../../platform/lists/fetch-record.js'
import { filterInput, ORG_PATH, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { Macro } from './macro.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  owner: { kind: 'id', sql: 't.owner_id' },
  name: { kind: 'text', sql: 't.name', sortable: true },
  shortcut: { kind: 'text', sql: 't.shortcut' },
  channels: { kind: 'idArray', sql: 't.channels' },
  archivedAt: { kind: 'time', sql: 't.archived_at' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const macroList: ListDefinition = {
  table: 'macro',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const MacroFilter = filterInput('MacroFilter', fields)
export const MacroOrder = orderInput('Macro', fields)
export const MacroConnection = connectionType('Macro', () => Macro)

/** A condition on the macros at `t`: shared ones, and the caller's own. */
export const ownOrShared =
  (ctx: Context) =>
  (values: unknown[]): string =>
    `(t.owner_id is null or t.owner_id = $${values.push(ctx.userCaller.user)})`

/** Reads a macro: another user's own is not found. @throws NotFound */
export async function fetchMacro(ctx: Context, id: string, options: FetchOptions = {}): Promise<Macro> {
  const macro = await fetchRecord(ctx, Macro, id, options)
  if (macro.ownerId !== null && macro.ownerId !== ctx.userCaller.user) throw recordNotFound('Macro', id, options.field)
  return macro
}
