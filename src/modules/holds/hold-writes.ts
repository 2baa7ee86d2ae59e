import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { ownOrAboveSql, pathOf, tenantSql, type OrganizationPath } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseList, parseText, refuseCleared } from '../../platform/input.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { insertOwned, lockToCount, owningPath } from '../organizations/owned-record.js'
import { lockHolds } from './held.js'
import { HOLD_CHANGED } from './hold-jobs.js'
import { Hold, type CreateHoldInput, type UpdateHoldInput } from './hold.js'

const NAME_CHARS_MAX = 100
const REASON_CHARS_MAX = 1_000
const IDS_MAX = 1_000
/** Those that hold: each deletion asks them. */
const HOLDS_PER_ORGANIZATION_MAX = 2_000

/** The kinds of records that a hold names: the table, the record's name, and whether one of an organization above may be named. */
const NAMED = {
  contacts: { table: 'contact', record: 'Contact', isAbove: false },
  conversations: { table: 'conversation', record: 'Conversation', isAbove: false },
  users: { table: 'app_user', record: 'User', isAbove: true },
} as const
type Named = keyof typeof NAMED

/**
 * Makes a hold. Deletions and changes under way in the contact center end first; those that begin later find it.
 * @throws BadUserInput if it names nothing; NotFound naming the field; Unprocessable at the limit
 */
export function createHold(ctx: Context, transact: Transact, input: CreateHoldInput): Promise<Hold> {
  const { from = null, to = null } = input
  const given = {
    name: parseLine(input.name, 'name', NAME_CHARS_MAX),
    reason: parseLine(input.reason, 'reason', REASON_CHARS_MAX),
    contacts: parseIds(input.contacts, 'contacts'),
    conversations: parseIds(input.conversations, 'conversations'),
    users: parseIds(input.users, 'users'),
    from,
    to,
  }
  if (from && to && from >= to)
    throw new BadUserInput('from', `from ${from.toISOString()} must be before to ${to.toISOString()}`)
  const kinds = Object.keys(NAMED) as Named[]
  if (!from && !to && kinds.every((kind) => given[kind].length === 0)) {
    const message = 'a hold must name contacts, conversations or users, or a span of time by from or to'
    throw new BadUserInput('contacts', message, 'MISSING_VALUE')
  }
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const organization = path.at(-1)!
    await lockToCount(tx, organization)
    const active = await tx.em.count(Hold, { organizationId: organization, releasedAt: null })
    if (active >= HOLDS_PER_ORGANIZATION_MAX) {
      const message = `organization ${organization} has ${HOLDS_PER_ORGANIZATION_MAX} holds already: release some`
      throw new Unprocessable(message, { reason: 'TOO_MANY' })
    }
    await lockHolds(tx, path[0])
    for (const kind of kinds) await requireThere(tx, path, kind, given[kind])
    tx.addJob(HOLD_CHANGED.create({ center: path[0] }))
    return insertOwned(ctx, tx, Hold, {
      path,
      ...given,
      createdById: ctx.userCaller.user,
      releasedAt: null,
      releasedById: null,
    })
  })
}

/** Changes what a hold is called and why it is there. @throws NotFound, BadUserInput */
export function updateHold(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateHoldInput },
): Promise<Hold> {
  refuseCleared(patch, 'name', 'reason')
  const name = patch.name === undefined ? undefined : parseLine(patch.name, 'name', NAME_CHARS_MAX)
  const reason = patch.reason === undefined ? undefined : parseLine(patch.reason, 'reason', REASON_CHARS_MAX)
  return transact(ctx, async (tx) => {
    const hold = await fetchRecord(ctx, Hold, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    if (name !== undefined) hold.name = name
    if (reason !== undefined) hold.reason = reason
    markChanged(hold, ctx.now())
    return hold
  })
}

/**
 * Releases a hold: a job forgets what was kept by it alone, and has erasures go on that no other blocks. It is never made to hold
 * again. Repeating it changes nothing. @throws NotFound
 */
export function releaseHold(ctx: Context, transact: Transact, id: string): Promise<Hold> {
  return transact(ctx, async (tx) => {
    const hold = await fetchRecord(ctx, Hold, id, { em: tx.em, lock: true })
    if (hold.releasedAt !== null) return hold
    // What it blocks or keeps at the moment is written by then: the job finds it.
    await lockHolds(tx, pathOf(hold)[0])
    hold.releasedAt = ctx.now()
    hold.releasedById = ctx.userCaller.user
    markChanged(hold, ctx.now())
    tx.addJob(HOLD_CHANGED.create({ center: pathOf(hold)[0] }))
    return hold
  })
}

function parseLine(value: unknown, field: string, max: number): string {
  const text = parseText(value, field, { max }).trim()
  if (text !== '') return text
  throw new BadUserInput(field, `${field} must not be blank`, 'MISSING_VALUE')
}

function parseIds(value: unknown, field: Named): string[] {
  const ids = parseList(value ?? [], field, IDS_MAX)
  return [
    ...new Set(
      ids.map((id, index) => {
        if (typeof id === 'string' && isId(id)) return id.toLowerCase()
        throw recordNotFound(NAMED[field].record, quoteValue(id), `${field}[${index}]`)
      }),
    ),
  ]
}

/** Checks that records are of the hold's organization or below it. @throws NotFound naming the first that is not */
async function requireThere(tx: WriteTx, path: OrganizationPath, kind: Named, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { table, record, isAbove } = NAMED[kind]
  const values: unknown[] = [ids]
  const visible = (isAbove ? ownOrAboveSql : tenantSql)({ path }, 't', values)
  const rows = await tx.query<{ id: string }>(
    `select t.id from ${table} t where t.id = any($1::uuid[]) and ${visible}`,
    values,
  )
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing !== -1) throw recordNotFound(record, ids[missing]!, `${kind}[${missing}]`)
}
