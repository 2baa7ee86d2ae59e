import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, Unprocessable } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { isAbsent, parseInteger, refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { lockHolds } from '../holds/held.js'
import { insertOwned, lockToCount, owningPath } from '../organizations/owned-record.js'
import { DAY_MS } from './due-records.js'
import { emitPolicy } from './retention-events.js'
import { addBeginning } from './retention-jobs.js'
import {
  DAYS,
  DELAY_MS,
  RetentionPolicy,
  type CreateRetentionPolicyInput,
  type RetentionSubject,
  type UpdateRetentionPolicyInput,
} from './retention-policy.js'
import { countRetention } from './retention-preview.js'

/** A policy begins within a year. */
const STARTS_MAX_MS = 366 * DAY_MS
/** A time of exactly 24 hours ahead was chosen a little before it is read. */
const SLACK_MS = 60_000

/**
 * Makes a policy, whose first run is a day later at the earliest. What it covers, those of organizations above leave alone from now on.
 * @throws BadUserInput; NotFound naming `organization`; Unprocessable if there is one, or if it is not confirmed
 */
export async function createRetentionPolicy(
  ctx: Context,
  transact: Transact,
  { subject, days: given, startsAt, confirmed, organization }: CreateRetentionPolicyInput,
): Promise<RetentionPolicy> {
  const days = parseInteger(given, 'days', DAYS.min, DAYS.max)
  const starts = isAbsent(startsAt) ? firstStart(ctx) : parseStart(ctx, startsAt)
  await requireConfirmed(ctx, { subject, days, confirmed, organization: organization ?? null })
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, organization)
    const owner = path.at(-1)!
    await lockToCount(tx, owner)
    const present = await tx.em.findOne(RetentionPolicy, { organizationId: owner, subject, endsAt: null })
    if (present) {
      const message = `organization ${owner} has a retention policy of ${subject} already: change that one`
      throw new Unprocessable(message, { reason: 'RETENTION_EXISTS', field: 'subject', policy: present.id })
    }
    await lockHolds(tx, path[0])
    const policy = await insertOwned(ctx, tx, RetentionPolicy, {
      path,
      subject,
      days,
      startsAt: starts,
      endsAt: null,
      createdById: ctx.userCaller.user,
    })
    addBeginning(tx, policy, starts)
    emitPolicy(tx, policy, 'created')
    return policy
  })
}

/**
 * Changes a policy. A run that is under way ends before the next record; a shorter term begins a day later at the earliest.
 * @throws NotFound, BadUserInput; Unprocessable if it has ended, or a shorter one is not confirmed; ChangedMeanwhile
 */
export async function updateRetentionPolicy(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateRetentionPolicyInput },
): Promise<RetentionPolicy> {
  refuseCleared(patch, 'days', 'startsAt')
  const days = patch.days === undefined ? undefined : parseInteger(patch.days, 'days', DAYS.min, DAYS.max)
  const seen = await fetchRecord(ctx, RetentionPolicy, id)
  // A client may send back what it has read.
  const isKept = patch.startsAt === undefined || patch.startsAt?.getTime() === seen.startsAt.getTime()
  const starts = isKept ? undefined : parseStart(ctx, patch.startsAt!)
  requireHolding(seen)
  const { subject, organizationId: organization } = seen
  if (days !== undefined && days < seen.days)
    await requireConfirmed(ctx, { subject, days, confirmed: patch.confirmed, organization })
  return transact(ctx, async (tx) => {
    const policy = await fetchRecord(ctx, RetentionPolicy, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    requireHolding(policy)
    const isShorter = days !== undefined && days < policy.days
    // Lengthened meanwhile: whether this must be confirmed was not asked.
    if (isShorter && days >= seen.days && patch.confirmed !== true)
      throw new Unprocessable(`retention policy ${policy.id} was changed meanwhile: read it again`, {
        reason: 'CHANGED_MEANWHILE',
      })
    const isSame = (days === undefined || days === policy.days) && starts === undefined
    if (isSame) return policy
    await lockHolds(tx, pathOf(policy)[0])
    if (days !== undefined) policy.days = days
    if (starts !== undefined) policy.startsAt = starts
    else if (isShorter && policy.startsAt < firstStart(ctx)) policy.startsAt = firstStart(ctx)
    markChanged(policy, ctx.now())
    const now = ctx.now()
    addBeginning(tx, policy, policy.startsAt > now ? policy.startsAt : now)
    emitPolicy(tx, policy, 'updated')
    return policy
  })
}

/**
 * Ends a policy: it erases nothing from now on. For another day it keeps those of organizations above from what it covered, so that
 * nothing goes by one of which nobody was told. Repeating it changes nothing. @throws NotFound
 */
export function deleteRetentionPolicy(ctx: Context, transact: Transact, id: string): Promise<RetentionPolicy> {
  return transact(ctx, async (tx) => {
    const policy = await fetchRecord(ctx, RetentionPolicy, id, { em: tx.em, lock: true })
    if (policy.endsAt !== null) return policy
    await lockHolds(tx, pathOf(policy)[0])
    policy.endsAt = firstStart(ctx)
    markChanged(policy, ctx.now())
    emitPolicy(tx, policy, 'updated')
    return policy
  })
}

/** @throws Unprocessable for one that has ended */
function requireHolding({ id, endsAt }: RetentionPolicy): void {
  if (endsAt === null) return
  throw new Unprocessable(`retention policy ${id} has ended: make another one`, { reason: 'RETENTION_ENDED' })
}

const firstStart = (ctx: Context): Date => new Date(ctx.now().getTime() + DELAY_MS)

/** @throws BadUserInput for a time within the next 24 hours, or in more than a year */
function parseStart(ctx: Context, startsAt: Date): Date {
  const leftMs = startsAt.getTime() - ctx.now().getTime()
  if (leftMs >= DELAY_MS - SLACK_MS && leftMs <= STARTS_MAX_MS) return startsAt
  const message = `startsAt must be at least 24 hours and at most a year from now, not ${startsAt.toISOString()}`
  throw new BadUserInput('startsAt', message)
}

interface Asked {
  organization: string | null
  subject: RetentionSubject
  days: number
  confirmed?: boolean | null | undefined
}

/** @throws Unprocessable if so much would go that it must be confirmed, and is not */
async function requireConfirmed(ctx: Context, { confirmed, ...asked }: Asked): Promise<void> {
  if (confirmed === true) return
  const { due, waiting, total, isMore, needsConfirmation } = await countRetention(ctx, asked)
  if (!needsConfirmation) return
  const message = `${isMore ? 'at least ' : ''}${due + waiting} of ${total} ${asked.subject} would be erased: confirm it with confirmed`
  const details = { reason: 'CONFIRMATION_NEEDED', field: 'confirmed', due: due + waiting, total } as const
  throw new Unprocessable(message, details)
}
