import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { noteChange } from '../../platform/db/record-changes.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, Unprocessable } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseList } from '../../platform/input.js'
import type { JsonValue } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { requireVersion } from '../../platform/lists/record-version.js'
import { Organization } from '../organizations/organization.js'
import { endRefusedGuests } from './end-refused-guests.js'
import { botGoverned } from '../users/user-jobs.js'
import { eventOf } from '../users/user-rules.js'
import type { User } from '../users/user.js'
import { parseMatched } from '../workflows/first-match.js'
import type { BotGrantInput, GrantLine } from './bot-grant.js'
import { fetchBot } from './fetch-bot.js'
import { holdGovernance } from './read-grants.js'

/** Lines of one organization: all of them may be tried for one act. */
const LINES_MAX = 100
/** Lines of a bot, of all organizations. */
const LINES_OF_BOT_MAX = 1_000

export interface GrantDependencies {
  transact: Transact
  /** Nodes that know the bot as a caller are told what it may read. */
  accessChanges: AccessChanges
}

export interface GivenGrants {
  bot: string
  organization: string | null
  grants: readonly BotGrantInput[]
  ifVersion: number | null
}

/**
 * Replaces the lines by which a bot is governed in the conversations of an organization; from now on it is. What it does at the
 * moment is waited for, under its lock: once this is answered, nothing beyond the new lines is done.
 * @throws NotFound; Unprocessable `NOT_A_BOT`, `TOO_MANY`, and for an organization that the bot does not reach; ChangedMeanwhile;
 *   BadUserInput
 */
export async function setBotGrants(
  ctx: Context,
  { transact, accessChanges }: GrantDependencies,
  given: GivenGrants,
): Promise<User> {
  const lines = parseLines(given.grants)
  let guests: string[] = []
  const governed = await transact(ctx, async (tx) => {
    const bot = await fetchBot(ctx, tx, given.bot, 'bot')
    const organization = await reachedBy(ctx, tx, bot, given.organization)
    await holdGovernance(tx, bot.id)
    const [found] = await tx.query<{ version: number }>('select version from bot_governance where bot_id = $1', [
      bot.id,
    ])
    const version = found?.version ?? 0
    requireVersion('BotGovernance', { id: bot.id, version }, given.ifVersion)
    await tx.query(GOVERN, [bot.id, ctx.now(), ctx.userCaller.user])
    requireOwn(bot, organization, lines)
    const before = await tx.query<GrantLine>(BEFORE, [bot.id, organization])
    await tx.query('delete from bot_grant where bot_id = $1 and organization_id = $2', [bot.id, organization])
    await tx.query(INSERT, [bot.id, organization, JSON.stringify(lines)])
    await requireRoom(tx, bot)
    tx.addJob(botGoverned(bot.id))
    tellOf(tx, bot, { organization, from: before, to: lines })
    guests = await endRefusedGuests(tx, bot, ctx.now())
    return bot
  })
  for (const each of [governed.id, ...guests]) accessChanges.userChanged(each)
  return governed
}

/** Ends a bot's governance: it may do what its scopes allow. Repeating it changes nothing. @throws as {@link setBotGrants} */
export async function releaseBot(
  ctx: Context,
  { transact, accessChanges }: GrantDependencies,
  id: string,
): Promise<User> {
  const released = await transact(ctx, async (tx) => {
    const bot = await fetchBot(ctx, tx, id, 'id')
    await holdGovernance(tx, bot.id)
    const rows = await tx.query('delete from bot_governance where bot_id = $1 returning bot_id', [bot.id])
    if (rows.length > 0) tellOf(tx, bot, { organization: null, from: 'governed', to: null })
    return bot
  })
  accessChanges.userChanged(released.id)
  return released
}

const GOVERN = `
insert into bot_governance as g (bot_id, version, updated_at, updated_by_id) values ($1, 1, $2, $3)
on conflict (bot_id) do update set version = g.version + 1, updated_at = excluded.updated_at,
  updated_by_id = excluded.updated_by_id`

const BEFORE = `select action, mode, conditions from bot_grant where bot_id = $1 and organization_id = $2 order by position`

const INSERT = `
insert into bot_grant (bot_id, organization_id, position, action, mode, conditions)
select $1, $2, x.ordinality, x.line ->> 'action', x.line ->> 'mode', x.line -> 'conditions'
from jsonb_array_elements($3::jsonb) with ordinality as x(line, ordinality)`

function parseLines(given: readonly BotGrantInput[]): GrantLine[] {
  return parseList(given, 'grants', LINES_MAX).map((line, index) => {
    const { action, mode, conditions } = line as BotGrantInput
    const at = `grants[${index}]`
    const parsed = parseMatched(isAbsent(conditions) ? { all: [] } : conditions, `${at}.conditions`)
    if (action === 'readContact') checkReading({ action, mode, conditions: parsed }, at, given.slice(0, index))
    return { action, mode, conditions: parsed }
  })
}

/** Checks a line about reading, which is decided when a bot calls: there is no conversation yet of which conditions could hold. @throws BadUserInput */
function checkReading({ action, mode, conditions }: GrantLine, at: string, before: readonly BotGrantInput[]): void {
  if (mode !== 'none' && mode !== 'act')
    throw new BadUserInput(`${at}.mode`, `${at}.mode of READ_CONTACT must be NONE or ACT: nobody approves reading`)
  if (!('all' in conditions) || conditions.all.length > 0)
    throw new BadUserInput(
      `${at}.conditions`,
      `${at}.conditions must be absent: READ_CONTACT is for all that the bot sees`,
    )
  if (before.some((each) => each.action === action))
    throw new BadUserInput(`${at}.action`, `${at}.action READ_CONTACT must be there once: its lines have no conditions`)
}

/** @throws BadUserInput for a line about reading that is not for all that the bot sees */
function requireOwn(bot: User, organization: string, lines: readonly GrantLine[]): void {
  if (organization === bot.organizationId || !lines.some(({ action }) => action === 'readContact')) return
  throw new BadUserInput(
    'organization',
    'organization must be that of the bot where grants has a line for READ_CONTACT',
  )
}

/** Lines about conversations that the bot does not see would have no effect. */
async function reachedBy(ctx: Context, { em }: WriteTx, bot: User, id: string | null): Promise<string> {
  if (id === null) return bot.organizationId
  const organization = await fetchRecord(ctx, Organization, id, { em, field: 'organization' })
  if (pathOf(organization).includes(bot.organizationId)) return organization.id
  throw new BadUserInput(
    'organization',
    `organization ${organization.id} is neither that of the bot nor below it: the bot does not see its conversations`,
  )
}

async function requireRoom(tx: WriteTx, { id }: User): Promise<void> {
  const [counted] = await tx.query<{ count: number }>(
    'select count(*)::int as count from bot_grant where bot_id = $1',
    [id],
  )
  if (counted!.count > LINES_OF_BOT_MAX)
    throw new Unprocessable(
      `grants: the bot would have ${counted!.count} lines in all organizations; at most ${LINES_OF_BOT_MAX} are possible`,
      { reason: 'TOO_MANY', field: 'grants' },
    )
}

/** Tells lists of users, and the audit log of what was before and what is now. */
function tellOf(tx: WriteTx, bot: User, change: { organization: string | null; from: unknown; to: unknown }): void {
  const { organization, from, to } = change
  tx.emit(organizationStream(bot.organizationId), 'user.updated', eventOf(bot))
  const grants = { from: from as JsonValue, to: to as JsonValue }
  const values = { ...(organization !== null && { organization: { from: organization, to: organization } }), grants }
  noteChange(tx.em, { record: 'bot_governance', id: bot.id, change: 'updated', values })
}
