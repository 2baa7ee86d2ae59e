import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { NotFound } from '../../platform/errors.js'
import { connectionType, OrderDirection, orderInput } from '../../platform/lists/connection.js'
import { filterInput, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { camelRow } from '../../platform/lists/rows.js'
import { ContactCenter } from './contact-center.js'

/** Nothing of a center but its name, its quotas, and who was invited to own it. */
const CENTERS = `(
  select o.id, o.name, o.created_at, c.archived_at, c.users_max, c.organizations_max, c.guest_messages_per_minute,
    c.guest_upload_mebibytes_per_day, u.email as owner_email,
    case when u.status = 'invited' and u.last_login is null and u.password_hash is null then u.id end as invited_id
  from organization o left join contact_center c on c.org1 = o.id left join app_user u on u.id = c.owner_id
  where o.level = 1)`

const fields: FilterFields = {
  name: { kind: 'text', sql: 't.name', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  archivedAt: { kind: 'time', sql: 't.archived_at', sortable: true },
  id: { kind: 'id', sql: 't.id', sortable: true },
}

/** Contact centers belong to no tenant: who may list them is decided by the permission alone. */
export const contactCenterList: ListDefinition = {
  table: CENTERS,
  fields,
  defaultOrder: [{ field: 'createdAt', direction: OrderDirection.ASC }],
  visible: () => 'true',
}
export const ContactCenterFilter = filterInput('ContactCenterFilter', fields)
export const ContactCenterOrder = orderInput('ContactCenter', fields)
export const ContactCenterConnection = connectionType('ContactCenter', () => ContactCenter)

/** @throws NotFound for anything but a contact center */
export async function fetchCenter(sql: Sql, id: string): Promise<ContactCenter> {
  const [row] = isId(id)
    ? await sql.query<Record<string, unknown>>(`select t.* from ${CENTERS} t where t.id = $1`, [id], 'contact-center')
    : []
  if (!row) throw noCenter(id)
  return camelRow<ContactCenter>(row)
}

export function noCenter(id: string): NotFound {
  return recordNotFound('ContactCenter', id)
}

/** Lists all contact centers, the oldest first, for the command line. */
export async function allCenters(sql: Sql): Promise<ContactCenter[]> {
  const rows = await sql.query<Record<string, unknown>>(`select t.* from ${CENTERS} t order by t.created_at, t.id`)
  return rows.map((row) => camelRow<ContactCenter>(row))
}
