/** The tenant columns of a row whose parent record vouches for its organization. */
export const UNCHECKED_TENANT = `
  id uuid primary key,
  organization_id uuid not null,
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1`

/** Columns of every tenant-owned table, see `db/tenancy.ts`. */
export const TENANT = UNCHECKED_TENANT.replace(
  'organization_id uuid not null',
  'organization_id uuid not null references organization (id)',
)

/**
 * Returns one index for each level of the tenant tree.
 * @param name of the indexes, without the level
 * @param order the columns that follow the level's
 * @param where which rows are listed in that order; default: all
 */
export function tenantIndexes(table: string, name = `${table}_org`, order = 'id', where?: string): string {
  return [1, 2, 3]
    .map((level) => {
      const conditions = [...(level > 1 ? [`org${level} is not null`] : []), ...(where ? [where] : [])]
      const condition = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
      return `create index ${name}${level} on ${table} (org${level}, ${order})${condition};`
    })
    .join('\n')
}
