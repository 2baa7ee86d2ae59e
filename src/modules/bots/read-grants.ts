import type { LoaderDefinition } from '../../platform/context.js'
import { reading, type ReadSql, type Sql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import type { BotAction, BotGovernance, BotGrant, GrantLine } from './bot-grant.js'
import { NoGrant } from './no-grant.js'

/**
 * Reads the version of a bot's governance; null if it is not governed. Nobody changes its grants until the transaction has ended:
 * what is done is done under those that it had, and once a change is answered nothing is done under the ones before.
 */
export async function lockGovernance(sql: Sql, bot: string): Promise<number | null> {
  // Two statements, sent together: the second sees what was committed while the first waited.
  const locked = sql.query(SHARE_GOVERNANCE, [bot], 'lock-governance')
  const read = sql.query<{ version: number }>(VERSION, [bot], 'version-of-governance')
  const [[row]] = await Promise.all([read, locked])
  return row?.version ?? null
}

/** Not by its row: a bot that nobody governs has none, and is waited for when it begins to be governed. */
const lockOf = (how: string): string => `select ${how}(hashtextextended('governance ' || $1::text, 0))`
const SHARE_GOVERNANCE = lockOf('pg_advisory_xact_lock_shared')
const VERSION = reading('select version from bot_governance where bot_id = $1')

/** Waits for what the bot does at the moment, and has what it does next wait for the end of the transaction. */
export async function holdGovernance(sql: Sql, bot: string): Promise<void> {
  await sql.query(lockOf('pg_advisory_xact_lock'), [bot])
}

/** Reads the lines that are tried for a conversation: those of its organization, then those of each above, in their order. */
export function grantsFor(sql: ReadSql, bot: string, path: OrganizationPath): Promise<BotGrant[]> {
  return sql.query<BotGrant>(GRANTS, [bot, path.filter((organization) => organization !== undefined)], 'grants-for')
}

/**
 * Refuses a governed bot that may not do such acts by itself in every conversation of these organizations: it asks for what lasts, so
 * no line with conditions helps it. @throws NoGrant
 */
export async function requireAlways(sql: Sql, given: LastingAct): Promise<void> {
  if ((await lockGovernance(sql, given.bot)) === null) return
  const refusal = await refusalAlways(sql, given)
  if (refusal) throw refusal
}

interface LastingAct {
  bot: string
  path: OrganizationPath
  action: BotAction
}

/** Returns what {@link requireAlways} throws, of a bot that is governed and whose governance is held. */
export async function refusalAlways(sql: Sql, { bot, path, action }: LastingAct): Promise<NoGrant | null> {
  const lines = (await grantsFor(sql, bot, path)).filter((line) => line.action === action)
  const tried = lines.slice(0, lines.findIndex(holdsAlways) + 1 || undefined)
  const refusing = tried.find(({ mode }) => mode !== 'act')
  return refusing || !tried.some(holdsAlways) ? new NoGrant(action, refusing?.mode ?? 'none') : null
}

/** Tells whether a line decides whatever the conversation is about. */
export const holdsAlways = ({ conditions }: GrantLine): boolean => 'all' in conditions && conditions.all.length === 0

const GRANTS = reading(`
select action, mode, conditions, organization_id as "organizationId" from bot_grant
where bot_id = $1 and organization_id = any($2::uuid[])
order by array_position($2::uuid[], organization_id) desc, position`)

/** The governance of bots, by bot; none of those that are not governed. */
export const governanceLoader: LoaderDefinition<BotGovernance> = {
  async load(ctx, bots) {
    const rows = await ctx.reads.query<BotGovernance & { bot: string }>(GOVERNANCE, [bots], 'governance-of-bots')
    return new Map(rows.map(({ bot, ...governance }) => [bot, governance]))
  },
}

const GOVERNANCE = reading(`
select g.bot_id as bot, g.version, g.updated_at as "updatedAt", coalesce((
  select jsonb_agg(jsonb_build_object('action', r.action, 'mode', r.mode, 'conditions', r.conditions,
    'organizationId', r.organization_id) order by r.organization_id, r.position)
  from bot_grant r where r.bot_id = g.bot_id), '[]') as grants
from bot_governance g where g.bot_id = any($1::uuid[])`)
