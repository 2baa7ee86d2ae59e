import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent } from '../../platform/input.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { requireVersion } from '../../platform/lists/record-version.js'
import type { Providers } from '../sso/providers.js'
import { addRightsJob } from '../sso/provisioning.js'
import { canonical, inAnyCase, isUnkept, SERVER_MADE } from './attribute-names.js'
import { GROUP_PROPERTIES, readGroup, type GroupRow } from './groups.js'
import { equalitiesOf, noSuchPath, type Operation } from './patch.js'
import { externalIdOf, lineOf } from './person.js'
import type { Provisioner } from './provider-context.js'
import { scimError } from './scim-errors.js'

export interface GroupDependencies {
  transact: Transact
  providers: Pick<Providers, 'holdAny'>
}

/** A group as a provider says it is. */
export interface Group {
  displayName: string
  externalId: string | null
  /** Ids of users; null: it says nothing of them. */
  members: string[] | null
}

export const MEMBERS_MAX = 5_000
const GROUPS_MAX = 1_000
const NAME_CHARS_MAX = 500

/** Reads a resource of the type Group. @throws BadUserInput */
export function readGroupInput(resource: JsonObject): Group {
  const given = canonical(resource)
  const displayName = nameOf(given.displayName)
  const members = isAbsent(given.members) ? null : idsOf(given.members)
  return { displayName, externalId: externalIdOf(given.externalId), members }
}

/** @throws BadUserInput */
function nameOf(value: JsonValue | undefined): string {
  const name = lineOf(value, 'displayName', NAME_CHARS_MAX)
  if (name === null) throw scimError('invalidValue', 'displayName', 'displayName is required')
  return name
}

/** @throws BadUserInput; Unprocessable for a name that is taken, and at the maximum number of groups */
export function createGroup(
  ctx: Context,
  dependencies: GroupDependencies,
  provisioner: Provisioner,
  group: Group,
): Promise<GroupRow> {
  return write(ctx, dependencies, provisioner, 'createScimGroup', async (tx) => {
    const service = provisioner.provider.id
    const [number] = await tx.query<{ count: number }>(
      'select count(*)::int as count from scim_group where service_id = $1',
      [service],
    )
    if (number!.count >= GROUPS_MAX)
      throw new Unprocessable(`a provider may keep ${GROUPS_MAX} groups`, { reason: 'TOO_MANY' })
    const [row] = await tx.query<GroupRow>(
      `insert into scim_group as g (id, service_id, display_name, external_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5) returning ${GROUP_PROPERTIES}`,
      [ctx.newId(), service, group.displayName, group.externalId, ctx.now()],
    )
    const touched = await changeMembers(tx, provisioner, row!.id, MemberChanges.whole(group.members ?? []))
    await makeDue(tx, service, touched)
    return { row: row!, isChanged: true }
  })
}

interface GroupChange {
  id: string
  ifVersion: number | null
}

/** @throws NotFound, ChangedMeanwhile */
async function lockGroup(
  tx: WriteTx,
  provisioner: Provisioner,
  id: string,
  ifVersion: number | null,
): Promise<GroupRow> {
  const before = await readGroup(tx, provisioner, id, true)
  requireVersion('Group', before, ifVersion)
  return before
}

/** Replaces a group. Members of which it says nothing go. @throws NotFound, ChangedMeanwhile, BadUserInput, Unprocessable */
export function replaceGroup(
  ctx: Context,
  dependencies: GroupDependencies,
  provisioner: Provisioner,
  { id, ifVersion, group }: GroupChange & { group: Group },
): Promise<GroupRow> {
  return write(ctx, dependencies, provisioner, 'updateScimGroup', async (tx) => {
    const before = await lockGroup(tx, provisioner, id, ifVersion)
    const touched = await changeMembers(tx, provisioner, before.id, MemberChanges.whole(group.members ?? []))
    return store(ctx, tx, provisioner, before, { ...group, touched })
  })
}

/** Changes a group by the operations of a patch, one after the other. @throws as {@link replaceGroup} */
export function patchGroup(
  ctx: Context,
  dependencies: GroupDependencies,
  provisioner: Provisioner,
  { id, ifVersion, operations }: GroupChange & { operations: readonly Operation[] },
): Promise<GroupRow> {
  return write(ctx, dependencies, provisioner, 'updateScimGroup', async (tx) => {
    const before = await lockGroup(tx, provisioner, id, ifVersion)
    let { displayName, externalId } = before
    const members = new MemberChanges()
    for (const { op, path, value } of operations) {
      const { attribute, filter, part } = path
      if (SERVER_MADE.has(attribute) || isUnkept(attribute)) continue
      if (attribute === 'members') {
        if (part !== null) throw noSuchPath(path)
        // A replacement of the one that is chosen says nothing of the others.
        if (filter) members.note(op === 'replace' ? 'add' : op, [equalitiesOf(filter)])
        else members.note(op, value)
      } else if (filter || part !== null || (attribute !== 'displayName' && attribute !== 'externalId')) {
        throw noSuchPath(path)
      } else if (attribute === 'externalId') {
        externalId = op === 'remove' ? null : externalIdOf(value)
      } else {
        displayName = nameOf(op === 'remove' ? null : value)
      }
    }
    const touched = await changeMembers(tx, provisioner, before.id, members)
    return store(ctx, tx, provisioner, before, { displayName, externalId, touched })
  })
}

/** Deletes a group: its members lose what it gave them. @throws NotFound, ChangedMeanwhile */
export async function deleteGroup(
  ctx: Context,
  dependencies: GroupDependencies,
  provisioner: Provisioner,
  { id, ifVersion }: GroupChange,
): Promise<void> {
  await write(ctx, dependencies, provisioner, 'deleteScimGroup', async (tx) => {
    const before = await lockGroup(tx, provisioner, id, ifVersion)
    const touched = await changeMembers(tx, provisioner, before.id, MemberChanges.whole([]))
    await makeDue(tx, provisioner.provider.id, touched)
    await tx.query('delete from scim_group where id = $1', [before.id])
    return { row: before, isChanged: true }
  })
}

interface Written {
  row: GroupRow
  isChanged: boolean
}

async function write(
  ctx: Context,
  { transact, providers }: GroupDependencies,
  { provider: { id, organization }, token }: Provisioner,
  action: string,
  work: (tx: WriteTx) => Promise<Written>,
): Promise<GroupRow> {
  return transact(ctx, async (tx) => {
    await providers.holdAny(tx, id)
    const { row, isChanged } = await work(tx)
    if (!isChanged) return row
    const details = { token, group: row.id, displayName: row.displayName }
    tx.addAudit({ action, object: { type: 'service', id }, organization, details })
    return row
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'scim_group_name')) throw error
    throw new Unprocessable('another group has this displayName', { reason: 'NAME_TAKEN', field: 'displayName' })
  })
}

/** Stores what is said of a group itself; a new name gives other rights to all of its members. */
async function store(
  ctx: Context,
  tx: WriteTx,
  { provider }: Provisioner,
  before: GroupRow,
  { displayName, externalId, touched }: Omit<Group, 'members'> & { touched: readonly string[] },
): Promise<Written> {
  const isRenamed = displayName !== before.displayName || externalId !== before.externalId
  if (!isRenamed && touched.length === 0) return { row: before, isChanged: false }
  const [row] = await tx.query<GroupRow>(
    `update scim_group g set display_name = $2, external_id = $3, updated_at = $4, version = version + 1
     where id = $1 returning ${GROUP_PROPERTIES}`,
    [before.id, displayName, externalId, ctx.now()],
  )
  const others = isRenamed
    ? await tx.query<{ id: string }>('select user_id as id from scim_member where group_id = $1', [before.id])
    : []
  await makeDue(tx, provider.id, [...new Set([...touched, ...others.map(({ id }) => id)])])
  return { row: row!, isChanged: true }
}

/** Changes of a group's members, one after the other: put together first, so that many cost as much as one. */
class MemberChanges {
  readonly added = new Set<string>()
  readonly removed = new Set<string>()
  /** True if nobody stays but those who are added. */
  isWhole = false

  /** The members are these. */
  static whole(ids: readonly string[]): MemberChanges {
    const changes = new MemberChanges()
    changes.isWhole = true
    for (const id of ids) changes.added.add(id)
    return changes
  }

  /** @throws BadUserInput */
  note(op: Operation['op'], value: JsonValue | undefined): void {
    if (op === 'replace' || (op === 'remove' && isAbsent(value))) {
      this.isWhole = true
      this.added.clear()
      this.removed.clear()
    }
    if (op === 'remove' && isAbsent(value)) return
    const [to, from] = op === 'remove' ? [this.removed, this.added] : [this.added, this.removed]
    for (const id of idsOf(value)) {
      to.add(id)
      from.delete(id)
    }
    if (this.added.size > MEMBERS_MAX) throw tooManyMembers()
  }
}

/**
 * Changes the members of a locked group. @returns the users whose membership changed
 * @throws BadUserInput for a user whom the provider does not keep, and beyond the maximum number of members
 */
async function changeMembers(
  tx: WriteTx,
  { provider }: Provisioner,
  group: string,
  { added, removed, isWhole }: MemberChanges,
): Promise<string[]> {
  if (!isWhole && added.size === 0 && removed.size === 0) return []
  const adds = [...added]
  // Before their memberships, as whoever deletes a user does; and each time all at once, in one order.
  const known = await tx.query<{ id: string }>(
    `select user_id as id from scim_user s where service_id = $1 and deleted_at is null
       and (user_id = any($2::uuid[]) or $3 and exists (select from scim_member m where m.group_id = $4 and m.user_id = s.user_id))
     order by user_id for no key update`,
    [provider.id, [...adds, ...removed], isWhole, group],
  )
  const found = new Set(known.map(({ id }) => id))
  const missing = adds.find((id) => !found.has(id))
  if (missing !== undefined)
    throw scimError('invalidValue', 'members.value', `${quoteValue(missing)} is none of the provider's users`)
  const left = await tx.query<{ id: string }>(
    `delete from scim_member where group_id = $1 and case when $2 then user_id <> all($3::uuid[]) else user_id = any($4::uuid[]) end
     returning user_id as id`,
    [group, isWhole, adds, [...removed]],
  )
  const joined = await tx.query<{ id: string }>(
    `insert into scim_member (group_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing returning user_id as id`,
    [group, adds],
  )
  const [number] = await tx.query<{ count: number }>(
    'select count(*)::int as count from scim_member where group_id = $1',
    [group],
  )
  if (number!.count > MEMBERS_MAX) throw tooManyMembers()
  return [...left, ...joined].map(({ id }) => id)
}

/** Has the role and the channels of users given anew. */
async function makeDue(tx: WriteTx, service: string, users: readonly string[]): Promise<void> {
  if (users.length === 0) return
  const due = await tx.query(
    `update scim_user s set rights_due = gen_random_uuid()
     from (select user_id from scim_user where service_id = $1 and deleted_at is null
       and user_id = any($2::uuid[]) order by user_id for no key update) u
     where s.user_id = u.user_id returning 1`,
    [service, users],
  )
  if (due.length > 0) addRightsJob(tx, service)
}

/** Reads the ids of members: a list of objects with `value`, or one of them. @throws BadUserInput */
function idsOf(given: JsonValue | undefined): string[] {
  const list = Array.isArray(given) ? given : [given]
  if (list.length > MEMBERS_MAX) throw tooManyMembers()
  const ids = list.map((each) => {
    const { value, type = 'User' } = typeof each === 'string' ? { value: each } : membersPart(each)
    if (type !== null && inAnyCase(type) !== 'user')
      throw scimError('invalidValue', 'members.type', 'members are users: groups within groups are not kept')
    if (isId(value)) return value.toLowerCase()
    throw scimError('invalidValue', 'members.value', `${quoteValue(value)} is none of the provider's users`)
  })
  return [...new Set(ids)]
}

function membersPart(each: JsonValue | undefined): JsonObject {
  if (isPlainObject(each)) return canonical(each as JsonObject)
  throw scimError('invalidValue', 'members', 'members must be objects with the value of a user')
}

function tooManyMembers(): Error {
  return scimError('tooMany', 'members', `a group may have ${MEMBERS_MAX} members`)
}
