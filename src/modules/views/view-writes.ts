import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseText, refuseCleared } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import type { OrderTerm } from '../../platform/lists/connection.js'
import { orderTerms } from '../../platform/lists/keyset.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { requireMayShare } from '../channels/require-may-share.js'
import { conversationList } from '../conversations/api/conversation-list.js'
import { insertOwned, lockToCount, owningPath } from '../organizations/owned-record.js'
import { checkNamed } from './named-records.js'
import { parseFilter } from './parse-filter.js'
import { fetchView } from './view-list.js'
import { View, type SaveViewInput } from './view.js'

const NAME_CHARS_MAX = 80
/** Screens hold all of a user, and all of an organization. */
const VIEWS_MAX = 100

/**
 * Saves a view: a new one, or of the one with this id the given fields.
 * @throws Forbidden; NotFound naming what the filter names; Unprocessable if the name is in use, or at the limit; ChangedMeanwhile;
 *   BadUserInput for a filter that could match nothing
 */
export async function saveView(
  ctx: Context,
  transact: Transact,
  { id, input }: { id: string | null; input: SaveViewInput },
): Promise<View> {
  refuseCleared(input, 'name', 'filter')
  const given = {
    name: input.name == null ? undefined : parseName(input.name),
    filter: input.filter == null ? undefined : parseFilter(ctx, input.filter),
    orderBy: input.orderBy === undefined ? undefined : parseOrder(input.orderBy),
  }
  try {
    return await transact(ctx, (tx) =>
      id === null ? createView(ctx, tx, input, given) : updateView(ctx, tx, { id, input, given }),
    )
  } catch (error) {
    if (!isUniqueViolation(error, 'view_name')) throw error
    const message = `the name ${quoteValue(given.name)} is in use by another view`
    throw new Unprocessable(message, { reason: 'NAME_TAKEN', field: 'name' })
  }
}

/** @throws NotFound; Forbidden */
export function deleteView(ctx: Context, transact: Transact, id: string): Promise<string> {
  return transact(ctx, async (tx) => {
    const view = await fetchChangeable(ctx, tx, id)
    emitView(tx, view, 'deleted')
    tx.em.remove(view)
    return view.id
  })
}

interface Given {
  name: string | undefined
  filter: JsonObject | undefined
  orderBy: View['orderBy'] | undefined
}

async function createView(
  ctx: Context,
  tx: WriteTx,
  { isShared, organization, ifVersion }: SaveViewInput,
  { name, filter, orderBy = [] }: Given,
): Promise<View> {
  if (name === undefined) throw new BadUserInput('name', 'name is required for a new view', 'MISSING_VALUE')
  if (filter === undefined) throw new BadUserInput('filter', 'filter is required for a new view', 'MISSING_VALUE')
  if (!isAbsent(ifVersion)) throw new BadUserInput('ifVersion', 'ifVersion has no effect on a new view')
  if (!isShared && !isAbsent(organization) && organization.toLowerCase() !== ctx.caller.organization)
    throw new BadUserInput('organization', "organization: a view of one's own is of one's own organization")
  const path = await owningPath(ctx, tx, isShared ? organization : null)
  if (isShared) await requireMayShare(ctx, tx, path.at(-1)!, 'view.share')
  const ownerId = isShared ? null : ctx.userCaller.user
  await checkNumber(tx, path.at(-1)!, ownerId)
  const names = await checkNamed(ctx, tx, filter, { path, stored: null })
  const view = await insertOwned(ctx, tx, View, { path, name, filter, orderBy, names, ownerId })
  emitView(tx, view, 'created')
  return view
}

async function updateView(
  ctx: Context,
  tx: WriteTx,
  { id, input, given: { name, filter, orderBy } }: { id: string; input: SaveViewInput; given: Given },
): Promise<View> {
  const view = await fetchChangeable(ctx, tx, id, input.ifVersion)
  if (!isAbsent(input.isShared) && input.isShared !== (view.ownerId === null))
    throw new BadUserInput('isShared', 'isShared cannot be changed: save another view, and delete this one')
  if (!isAbsent(input.organization) && input.organization.toLowerCase() !== view.organizationId)
    throw new BadUserInput('organization', 'organization cannot be changed')
  if (name !== undefined) view.name = name
  if (orderBy !== undefined) view.orderBy = orderBy
  if (filter !== undefined) {
    view.names = await checkNamed(ctx, tx, filter, { path: pathOf(view), stored: view })
    view.filter = filter
  }
  markChanged(view, ctx.now())
  await tx.em.flush()
  emitView(tx, view, 'updated')
  return view
}

async function fetchChangeable(ctx: Context, tx: WriteTx, id: string, ifVersion?: number | null): Promise<View> {
  const view = await fetchView(ctx, id, { em: tx.em, lock: true, ifVersion })
  if (view.ownerId === null) await requireMayShare(ctx, tx, view.organizationId, 'view.share')
  return view
}

/** Controls, other ends of lines, and what turns the text around it, such as the names beside it in a list. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u

function parseName(value: unknown): string {
  const name = parseText(value, 'name').trim()
  if (name !== '' && name.length <= NAME_CHARS_MAX && !UNSEEN.test(name) && /[^\p{Cf}\s]/u.test(name)) return name
  const rule = `one line of 1 to ${NAME_CHARS_MAX} characters`
  throw new BadUserInput('name', `name must be ${rule}, not ${quoteValue(name.slice(0, 100))}`)
}

function parseOrder(given: OrderTerm[] | null): View['orderBy'] {
  const terms = (given ?? []).map(({ field, direction }) => ({ field, direction }))
  orderTerms(conversationList.fields, terms)
  const again = terms.findIndex(({ field }, index) => terms.findIndex((term) => term.field === field) < index)
  if (again >= 0)
    throw new BadUserInput(`orderBy[${again}].field`, `orderBy[${again}].field: a term before sorts by it already`)
  return terms
}

/** Holds an organization, or a user, to the number of views. */
async function checkNumber(tx: WriteTx, organization: string, owner: string | null): Promise<void> {
  await lockToCount(tx, organization)
  if ((await tx.em.count(View, { organizationId: organization, ownerId: owner })) < VIEWS_MAX) return
  const whose = owner === null ? `organization ${organization} shares` : 'you have'
  throw new Unprocessable(`${whose} ${VIEWS_MAX} views already: delete some`, { reason: 'TOO_MANY' })
}

type ViewData = Pick<View, 'name'>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'view', ViewData> {}
}

/** Tells of shared ones alone: what an agent keeps for herself is nobody else's. */
function emitView(tx: WriteTx, { id, organizationId, ownerId, name }: View, what: RecordChange): void {
  if (ownerId !== null) return
  tx.emit(organizationStream(organizationId), `view.${what}`, { id, organization: organizationId, name })
}
