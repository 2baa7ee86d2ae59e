import { isAllowed } from '../../platform/access/permissions.js'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { Forbidden, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { eventOf as organizationEvent } from '../organizations/organization-events.js'
import { Organization } from '../organizations/organization.js'
import { botPause } from './user-jobs.js'
import { eventOf } from './user-rules.js'
import { User } from './user.js'

export interface PauseDependencies {
  transact: Transact
  accessChanges: AccessChanges
}

/**
 * Stops a bot, or lets it go on: a paused one reads, and does nothing else, whatever it calls. It leaves its conversations as
 * by `/leave`, by a job. Nodes that know it as a caller notice within two seconds.
 * @throws NotFound; Unprocessable for a user who is no bot; Forbidden
 */
export async function setBotPaused(
  ctx: Context,
  { transact, accessChanges }: PauseDependencies,
  id: string,
  isPaused: boolean,
): Promise<User> {
  const user = await transact(ctx, async (tx) => {
    await requireSupervision(ctx, tx)
    const bot = await fetchRecord(ctx, User, id, { em: tx.em, lock: true })
    if (bot.role !== 'bot') throw new Unprocessable(`user ${bot.id} is not a bot`, { reason: 'NOT_A_BOT', field: 'id' })
    await requireMayPause(ctx, tx, bot)
    await keep(tx, ctx, { subject: bot.id, organization: bot.organizationId, isPaused })
    if (isPaused) tx.addJob(botPause(bot.id))
    tx.emit(organizationStream(bot.organizationId), 'user.updated', eventOf(bot))
    return bot
  })
  accessChanges.userChanged(user.id)
  return user
}

/** Stops all bots of an organization and those below it, also those that are made meanwhile; or ends that. */
export async function setBotsPaused(
  ctx: Context,
  { transact, accessChanges }: PauseDependencies,
  id: string | null,
  isPaused: boolean,
): Promise<Organization> {
  const { organization, bots } = await transact(ctx, async (tx) => {
    const found = await fetchRecord(ctx, Organization, id ?? ctx.caller.organization, {
      em: tx.em,
      field: 'organization',
    })
    await keep(tx, ctx, { subject: found.id, organization: found.id, isPaused })
    tx.emit(organizationStream(found.id), 'organization.updated', organizationEvent(found))
    const rows = await tx.query<{ id: string }>(
      // Locked: whoever gives one of them a conversation meanwhile is waited for, or sees the pause.
      `select id from app_user where role = 'bot' and $1 in (org1, org2, org3) order by id for no key update`,
      [found.id],
    )
    if (isPaused) for (const each of rows) tx.addJob(botPause(each.id))
    return { organization: found, bots: rows }
  })
  for (const each of bots) accessChanges.userChanged(each.id)
  return organization
}

/** Refuses a caller who supervises nothing, whatever it names. @throws Forbidden */
async function requireSupervision(ctx: Context, tx: WriteTx): Promise<void> {
  if (isAllowed(ctx.caller, 'bot.pauseAll')) return
  const rows = await tx.query('select 1 from channel_member where user_id = $1 and supervisor limit 1', [
    ctx.userCaller.user,
  ])
  if (rows.length === 0) throw mayNotPause()
}

const mayNotPause = (): Forbidden =>
  new Forbidden('pausing a bot needs the scope admin, or the supervision of a channel that it reaches')

/**
 * Administrators, and supervisors of a channel whose conversations the bot reaches. Leaves an entry in the audit log, whoever it is.
 * @throws Forbidden
 */
async function requireMayPause(ctx: Context, tx: WriteTx, bot: User): Promise<void> {
  if (ctx.mutation) ctx.mutation.isAudited = true
  if (isAllowed(ctx.caller, 'bot.pauseAll')) return
  const rows = await tx.query(SUPERVISES, [ctx.userCaller.user, bot.organizationId])
  if (rows.length === 0) throw mayNotPause()
}

const SUPERVISES = `select 1 from channel_member m join channel c on c.id = m.channel_id
  where m.user_id = $1 and m.supervisor and $2 in (c.org1, c.org2, c.org3) limit 1`

interface Kept {
  subject: string
  organization: string
  isPaused: boolean
}

async function keep(tx: WriteTx, ctx: Context, { subject, organization, isPaused }: Kept): Promise<void> {
  if (!isPaused) {
    await tx.query('delete from bot_pause where subject_id = $1', [subject])
    return
  }
  await tx.query(
    `insert into bot_pause (subject_id, organization_id, paused_by_id, paused_at) values ($1, $2, $3, $4)
     on conflict (subject_id) do nothing`,
    [subject, organization, ctx.userCaller.user, ctx.now()],
  )
}

/** A condition: the bot at this alias is paused. */
export const isPausedSql = (alias: string): string =>
  `(${alias}.role = 'bot' and exists (select from bot_pause b
    where b.subject_id in (${alias}.id, ${alias}.org1, ${alias}.org2, ${alias}.org3)))`
