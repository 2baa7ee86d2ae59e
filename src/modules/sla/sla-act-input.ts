import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseBoolean, parseFields, parseInteger, parseList, parseOneOf } from '../../platform/input.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import type { ClockKind } from './clock-kind.js'
import type { SlaAct, SlaActTime } from './sla-act.js'
import type { SlaTarget } from './sla-policy.js'

const FIELDS = ['at', 'channels', 'users', 'urgency', 'requeue'] as const
const TIMES = ['warned', 'breached'] as const satisfies SlaActTime[]
const NAMED_MAX = 50
const URGENCY_MAX = 1_000

/** Refuses what would have no effect. @throws BadUserInput naming the field: `targets[1].acts[0].requeue` */
export function parseActs(value: unknown, field: string, target: { clock: ClockKind; warns: boolean }): SlaAct[] {
  if (isAbsent(value)) return []
  const acts = parseList(value, field, TIMES.length).map((item, index) => {
    const at = `${field}[${index}]`
    const given = parseFields(item instanceof Object ? { ...item } : item, at, FIELDS)
    const act: SlaAct = {
      at: parseOneOf(given.at, `${at}.at`, TIMES),
      channels: parseIds(given.channels, `${at}.channels`),
      users: parseIds(given.users, `${at}.users`),
      urgency: isAbsent(given.urgency) ? null : parseInteger(given.urgency, `${at}.urgency`, 1, URGENCY_MAX),
      requeue: isAbsent(given.requeue) ? false : parseBoolean(given.requeue, `${at}.requeue`),
    }
    if (act.at === 'warned' && !target.warns)
      throw new BadUserInput(`${at}.at`, `${at}.at "WARNED" needs warnSeconds or warnMinutes of the target`)
    if (act.requeue && target.clock === 'queue')
      throw new BadUserInput(`${at}.requeue`, `${at}.requeue is not possible for QUEUE: the conversation waits already`)
    if (act.channels.length + act.users.length === 0 && act.urgency === null && !act.requeue)
      throw new BadUserInput(at, `${at} does nothing: it needs channels, users, urgency or requeue`)
    return act
  })
  for (const [index, { at }] of acts.entries()) {
    if (acts.findIndex((act) => act.at === at) === index) continue
    throw new BadUserInput(`${field}[${index}].at`, `${field}[${index}].at "${at}" has an act already`)
  }
  return acts
}

const parseIds = (value: unknown, field: string): string[] =>
  isAbsent(value) ? [] : [...new Set(parseList(value, field, NAMED_MAX).map((id) => String(id).toLowerCase()))]

/**
 * Checks that the channels and users of acts are of the policy's organization, or one above or below it, and seen by the
 * caller. Those that the stored policy has may have been deleted since. @throws NotFound naming the field
 */
export async function checkActs(
  ctx: Context,
  sql: Sql,
  targets: readonly SlaTarget[],
  { path, stored }: { path: OrganizationPath; stored: readonly SlaTarget[] },
): Promise<void> {
  const kinds = { channels: { name: 'Channel', table: 'channel' }, users: { name: 'User', table: 'app_user' } } as const
  for (const key of ['channels', 'users'] as const) {
    const known = new Set(stored.flatMap(({ acts }) => acts.flatMap((act) => act[key])))
    const named = targets.flatMap(({ acts }, target) =>
      acts.flatMap((act, index) =>
        act[key].map((id, at): NamedId => ({ id, field: `targets[${target}].acts[${index}].${key}[${at}]` })),
      ),
    )
    await requireVisible(
      ctx,
      sql,
      named.filter(({ id }) => !known.has(id)),
      { ...kinds[key], path },
    )
  }
}
