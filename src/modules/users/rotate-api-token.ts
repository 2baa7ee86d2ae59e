import type { Context } from '../../platform/context.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { endApiTokens } from './api-token-uses.js'
import { tokenColumns } from './create-user.js'
import type { UpdateDependencies } from './update-user.js'
import { parseScopes } from './user-input.js'
import { API_TOKEN_ENDS, departure, USER_DEPARTED } from './user-jobs.js'
import { eventOf } from './user-rules.js'
import { User } from './user.js'

export const OVERLAP_HOURS_MAX = 24
const HOUR_MS = 3_600_000

export interface Rotation {
  /** Default: those of the current token, else `bot`. */
  scopes?: string[] | null
  /** Time for which the current token stays valid as well; none by default. */
  overlapHours?: number | null
}

/**
 * Gives a bot a new API token, shown in this answer only. The old one ends at once, or when the overlap is over,
 * together with the guests' sign-ins that it opened and the messages that it sent for later processing. A token that is
 * still valid from an earlier rotation ends at once: never are there more than two.
 * @throws NotFound, Unprocessable for a user that is no bot, BadUserInput
 */
export async function rotateApiToken(
  ctx: Context,
  { transact, credentials, accessChanges }: UpdateDependencies,
  id: string,
  { scopes, overlapHours }: Rotation,
): Promise<User> {
  const given = scopes == null ? null : parseScopes(scopes, 'scopes')
  const overlap = parseOverlap(overlapHours ?? 0, OVERLAP_HOURS_MAX)
  let token = ''
  let guests: string[] = []
  const user = await transact(ctx, async (tx) => {
    const bot = await lockBot(ctx, tx, id)
    const named = given ?? bot.apiScopes ?? ['bot']
    const minted = await credentials.mintApiToken({ user: bot.id, organization: bot.organizationId, scopes: named })
    guests = await endApiTokens(tx, overlap > 0 ? { id: bot.id, apiTokenId: null } : bot, ctx.now())
    // What it has proposed with a token ends with that.
    tx.addJob(departure(bot.id))
    if (overlap > 0) await letOverlap(tx, bot, new Date(ctx.now().getTime() + overlap * HOUR_MS))
    Object.assign(bot, tokenColumns(minted, named))
    token = minted.token
    return changed(ctx, tx, bot)
  })
  for (const each of [user.id, ...guests]) accessChanges.userChanged(each)
  user.apiToken = token
  return user
}

/** Ends a bot's API tokens at once, also one that overlaps. @throws NotFound; Unprocessable for a user that is no bot */
export async function revokeApiToken(
  ctx: Context,
  { transact, accessChanges }: Pick<UpdateDependencies, 'transact' | 'accessChanges'>,
  id: string,
): Promise<User> {
  let guests: string[] = []
  const user = await transact(ctx, async (tx) => {
    const bot = await lockBot(ctx, tx, id)
    guests = await endApiTokens(tx, bot, ctx.now())
    tx.addJob(departure(bot.id))
    Object.assign(bot, tokenColumns(null, bot.apiScopes))
    return changed(ctx, tx, bot)
  })
  for (const each of [user.id, ...guests]) accessChanges.userChanged(each)
  return user
}

async function lockBot(ctx: Context, tx: WriteTx, id: string): Promise<User> {
  const bot = await fetchRecord(ctx, User, id, { field: 'user', em: tx.em, lock: true })
  if (bot.role !== 'bot') {
    throw new Unprocessable(`user ${bot.id} has the role ${bot.role}, not bot`, {
      reason: 'NOT_A_BOT',
      field: 'user',
    })
  }
  return bot
}

async function letOverlap(tx: WriteTx, { id, apiTokenId, apiTokenHash }: User, endsAt: Date): Promise<void> {
  if (apiTokenId === null) return
  await tx.query('insert into ending_api_token (id, user_id, hash, ends_at) values ($1, $2, $3, $4)', [
    apiTokenId,
    id,
    apiTokenHash,
    endsAt,
  ])
  tx.addJob(API_TOKEN_ENDS.create({ token: apiTokenId }, { runAt: endsAt }))
  tx.addJob(USER_DEPARTED.create({ user: id }, { runAt: endsAt }))
}

async function changed(ctx: Context, tx: WriteTx, bot: User): Promise<User> {
  markChanged(bot, ctx.now())
  await tx.em.flush()
  tx.emit(organizationStream(bot.organizationId), 'user.updated', eventOf(bot))
  return bot
}

/** @throws BadUserInput */
export function parseOverlap(hours: number, max: number): number {
  if (hours >= 0 && hours <= max) return hours
  const message = `overlapHours must be 0 to ${max}, not ${quoteValue(hours)}`
  throw new BadUserInput('overlapHours', message)
}
