import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { Filter, PrimaryKey, Property } from '@mikro-orm/decorators/legacy'

/** Position of an organization in the tenant tree: the ids of its ancestors from level 1, itself last. */
export type OrganizationPath = readonly [string, string?, string?]

/** Name of the filter; its parameter is a {@link TenantScope}. */
export const TENANT = 'tenant'

/** Rows that a caller may see: those in or below the last organization of `path`; all rows for {@link EVERY_TENANT}. */
export interface TenantScope {
  path: OrganizationPath | readonly []
}

/** For start-up, jobs and authentication; never for a caller's request. */
export const EVERY_TENANT: TenantScope = { path: [] }

/** Columns that place a row in the tenant tree. */
export interface TenantColumns {
  organizationId: string
  org1: string
  org2: string | null
  org3: string | null
}

const LEVEL_COLUMNS = ['org1', 'org2', 'org3'] as const

/** The tenant condition: equality on the column of the caller's own level. */
function tenantCondition({
  path,
}: TenantScope): { column: (typeof LEVEL_COLUMNS)[number]; organization: string } | null {
  return path.length === 0 ? null : { column: LEVEL_COLUMNS[path.length - 1]!, organization: path.at(-1)! }
}

/**
 * The same condition for hand-written SQL; pushes its value to `values`. The column is one of three constants, so it is
 * safe to interpolate.
 */
export function tenantSql(scope: TenantScope, alias: string, values: unknown[]): string {
  const condition = tenantCondition(scope)
  if (!condition) return 'true'
  return `${alias}.${condition.column} = $${values.push(condition.organization)}`
}

/**
 * Builds the condition for what may be named by a caller who works on records of its organization and below: the scope's own
 * rows, and those of organizations above it, such as their users and channels.
 * @param column of the row's organization; never from a client's input
 */
export function ownOrAboveSql(
  scope: TenantScope,
  alias: string,
  values: unknown[],
  column: 'organization_id' | 'id' = 'organization_id',
): string {
  const own = tenantSql(scope, alias, values)
  return `(${own} or ${alias}.${column} = any($${values.push([...scope.path])}::uuid[]))`
}

/**
 * Builds the condition for the rows of a table that a scope sees and pushes its values: {@link tenantSql}, or a wider
 * one where rows are shared.
 */
export type VisibleSql = (scope: TenantScope, alias: string, values: unknown[]) => string

/**
 * Builds the condition for a table whose rows are shared by tags (4.3, resource sharing): the scope's own rows, and
 * those of other organizations that have a tag of the scope's organization, within the same contact center. For reading
 * only: writes use {@link tenantSql}.
 * @param table has a GIN index on `tags`; never from a client's input
 * @param shareable an additional condition for shared rows, over the alias `shared`
 */
export function sharedSql(table: string, shareable = 'true'): VisibleSql {
  return (scope, alias, values) => {
    const own = tenantSql(scope, alias, values)
    const { path } = scope
    // A contact center and the system already see all rows that could be shared with them.
    if (path.length < 2) return own
    const center = tenantSql({ path: [path[0]!] }, 'shared', values)
    const tags = `(select tags from organization where id = $${values.push(path.at(-1))})`
    // Finds the shared rows by the index of their tags, so that a page does not scan other organizations' rows: 1 ms
    // against 48 ms where 200,000 rows belong to 1,000 organizations.
    const ids = `select shared.id from ${table} shared where ${center} and shared.tags && ${tags} and ${shareable}`
    return `(${own} or ${alias}.id = any(array(${ids})))`
  }
}

/**
 * Builds the condition for rows whose organization is on `path` or below its end: those that may be combined with a
 * record of the organization at the path's end. Grants no access: combine it with {@link tenantSql}.
 */
export function lineageSql(path: OrganizationPath, alias: string, values: unknown[]): string {
  const above = `${alias}.organization_id = any($${values.push(path.filter(Boolean))}::uuid[])`
  return `(${above} or ${tenantSql({ path }, alias, values)})`
}

/** Tells whether `row` lies in or below the scope's organization. */
export function isWithin(scope: TenantScope, row: Pick<TenantColumns, 'org1' | 'org2' | 'org3'>): boolean {
  const condition = tenantCondition(scope)
  return !condition || row[condition.column] === condition.organization
}

/** Tells whether the organization at the path's end lies in or below the scope's. */
export function isOnPath(scope: TenantScope, path: readonly string[]): boolean {
  return scope.path.length === 0 || path[scope.path.length - 1] === scope.path.at(-1)
}

/** Returns the tenant columns of a row that belongs to the organization at the path's end. */
export function tenantColumns(path: OrganizationPath): TenantColumns {
  return { organizationId: path.at(-1)!, org1: path[0], org2: path[1] ?? null, org3: path[2] ?? null }
}

export function pathOf(row: Pick<TenantColumns, 'org1' | 'org2' | 'org3'>): OrganizationPath {
  if (row.org2 == null) return [row.org1]
  return row.org3 == null ? [row.org1, row.org2] : [row.org1, row.org2, row.org3]
}

/** Returns the path whose ids these are, as {@link pathOf} gives them. */
export function pathOfIds([org1, org2 = null, org3 = null]: readonly (string | null)[]): OrganizationPath {
  if (org1 == null) throw new Error('a path has at least one id')
  return pathOf({ org1, org2, org3 })
}

/** Returns `orgPath` and `path` of the interface (2.4): ancestor ids joined by `#`, the own id last. */
export function pathText(row: Pick<TenantColumns, 'org1' | 'org2' | 'org3'>): string {
  return pathOf(row).join('#')
}

/** Returns a fork of the entity manager that sees the scope's rows only. */
export function scopedEntityManager(em: EntityManager, scope: TenantScope): EntityManager {
  const fork = em.fork()
  fork.setFilterParams(TENANT, { path: scope.path })
  return fork
}

/**
 * Base of every tenant-owned record. The filter applies to every read of the ORM and needs the caller's path: an entity
 * manager without one throws, so that it cannot be forgotten.
 */
@Filter({
  name: TENANT,
  cond: (args): FilterQuery<TenantEntity> => {
    const condition = tenantCondition(args as TenantScope)
    return condition ? { [condition.column]: condition.organization } : {}
  },
  default: true,
})
export abstract class TenantEntity {
  @PrimaryKey({ type: 'uuid' })
  id!: string

  /** Owning organization. */
  @Property({ type: 'uuid' })
  organizationId!: string

  @Property({ type: 'uuid', fieldName: 'org1' })
  org1!: string

  @Property({ type: 'uuid', nullable: true, fieldName: 'org2' })
  org2!: string | null

  @Property({ type: 'uuid', nullable: true, fieldName: 'org3' })
  org3!: string | null

  @Property({ type: 'datetime' })
  createdAt!: Date

  @Property({ type: 'datetime' })
  updatedAt!: Date

  /** From 1, incremented with every change under the row lock; see `lists/record-version.ts`. */
  @Property({ type: 'integer' })
  version!: number
}
