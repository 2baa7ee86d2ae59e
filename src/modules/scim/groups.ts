import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { NotFound, quoteValue } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { GROUP_SCHEMA } from './attribute-names.js'
import { filterSql, type FilterColumns } from './filter-sql.js'
import { isShown, type PageRequest } from './page-request.js'
import { entityTag } from './person.js'
import type { Provisioner } from './provider-context.js'

export interface GroupRow {
  id: string
  displayName: string
  externalId: string | null
  createdAt: Date
  updatedAt: Date
  version: number
}

interface Member {
  user: string
  name: string
}

/** Members of all groups of a page: of a page with more the last groups are left to the next one. */
const PAGE_MEMBERS_MAX = 10_000

const COLUMNS: FilterColumns = {
  id: { sql: 'g.id', kind: 'id' },
  displayname: { sql: 'g.display_name', kind: 'text' },
  externalid: { sql: 'g.external_id', kind: 'exact' },
}
export const GROUP_PROPERTIES = `g.id, g.display_name as "displayName", g.external_id as "externalId", g.created_at as "createdAt",
  g.updated_at as "updatedAt", g.version`

/** Reads a group of the provider. @param lock of the row, until the end of the transaction @throws NotFound */
export async function readGroup(
  sql: Pick<Sql, 'query'>,
  { provider }: Provisioner,
  id: string,
  lock = false,
): Promise<GroupRow> {
  const [row] = isId(id)
    ? await sql.query<GroupRow>(
        `select ${GROUP_PROPERTIES} from scim_group g where g.id = $1 and g.service_id = $2${lock ? ' for update' : ''}`,
        [id, provider.id],
      )
    : []
  if (!row) throw new NotFound(`Group ${quoteValue(id)} not found`)
  return row
}

/** Returns the resource of a group, with its members if they are to be shown. */
export async function groupResource(
  ctx: Context,
  provisioner: Provisioner,
  row: GroupRow,
  request: Pick<PageRequest, 'attributes' | 'excludedAttributes'>,
): Promise<JsonObject> {
  const members = isShown('members', request) ? await membersOf(ctx, [row.id]) : null
  return resourceOf(row, provisioner.base, members && (members.get(row.id) ?? []))
}

/** Reads a page of the provider's groups, by id, and how many there are. @throws BadUserInput */
export async function listGroups(
  ctx: Context,
  provisioner: Provisioner,
  request: PageRequest,
): Promise<{ resources: JsonObject[]; total: number }> {
  const { filter, startIndex, count } = request
  const values: unknown[] = [provisioner.provider.id]
  const condition = filter === null ? 'true' : filterSql(filter, COLUMNS, values)
  const where = `from scim_group g where g.service_id = $1 and ${condition}`
  const [number] = await ctx.reads.query<{ total: number }>(`select count(*)::int as total ${where}`, values)
  const total = number!.total
  if (count === 0 || startIndex > total) return { resources: [], total }
  const page = `${where} order by g.id limit ${count} offset ${startIndex - 1}`
  if (!isShown('members', request)) {
    const plain = await ctx.reads.query<GroupRow>(`select ${GROUP_PROPERTIES} ${page}`, values)
    return { resources: plain.map((row) => resourceOf(row, provisioner.base, null)), total }
  }
  const rows = await ctx.reads.query<GroupRow & { members: number }>(
    `select ${GROUP_PROPERTIES}, (select count(*)::int from scim_member m where m.group_id = g.id) as members ${page}`,
    values,
  )
  let sum = 0
  const shown = rows.filter(({ members }, at) => (sum += members) <= PAGE_MEMBERS_MAX || at === 0)
  const members = await membersOf(
    ctx,
    shown.map(({ id }) => id),
  )
  return { resources: shown.map((row) => resourceOf(row, provisioner.base, members.get(row.id) ?? [])), total }
}

async function membersOf(ctx: Context, groups: readonly string[]): Promise<Map<string, Member[]>> {
  const rows = await ctx.reads.query<Member & { group: string }>(
    `select m.group_id as group, m.user_id as user, s.user_name as name
     from scim_member m join scim_user s on s.user_id = m.user_id where m.group_id = any($1::uuid[]) order by m.user_id`,
    [groups],
    'members-of-scim-groups',
  )
  return Map.groupBy(rows, ({ group }) => group)
}

function resourceOf(row: GroupRow, base: string, members: readonly Member[] | null): JsonObject {
  const { id, displayName, externalId, createdAt, updatedAt, version } = row
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && {
      members: members.map(({ user, name }) => ({
        value: user,
        display: name,
        type: 'User',
        $ref: `${base}/Users/${user}`,
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Groups/${id}`,
      version: entityTag(version),
    },
  }
}
