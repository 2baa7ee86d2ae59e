import { reading } from '../../../platform/db/sql.js'
import { pathOf, ownOrAboveSql } from '../../../platform/db/tenancy.js'
import { NotFound } from '../../../platform/errors.js'
import { isAbsent } from '../../../platform/input.js'
import { NOTIFY } from '../routing/router.js'
import type { CommandRun, Command } from './command.js'
import { applyMove } from '../state/transitions.js'
import { parseIds } from './parse-ids.js'

interface NotifyArguments {
  channels?: string[]
  organizations?: string[]
}

/**
 * `/notify` (4.8): queues the conversation and runs all its workflows; with `organizations`, only those of the
 * listed organizations; with `channels`, notifies exactly those channels and runs no workflows. An active
 * conversation stays active: named channels are notified of a task, anything else has no effect. For a team
 * conversation, where nobody waits for an agent, the command has no effect. None of these cases is an error, since
 * commands of one client may arrive in any order.
 */
export const notify: Command<NotifyArguments> = {
  name: 'notify',
  permission: 'conversation.command',
  grant: 'handOver',
  check: ({ channels, organizations }, at) => ({
    ...(!isAbsent(channels) && { channels: parseIds(channels, at('channels')) }),
    ...(!isAbsent(organizations) && { organizations: parseIds(organizations, at('organizations')) }),
  }),
  streamsOf: ({ channels }) => channels?.length ?? 0,
  async run({ change, router, sender, given: { channels, organizations }, at }) {
    if (change.conversation.type !== 'contact') return
    const run = { change, sender }
    if (channels) await requireKnown(run, 'channel', 'organization_id', channels, at('channels'))
    if (organizations) await requireKnown(run, 'organization', 'id', organizations, at('organizations'))
    const { queues } = applyMove(change.conversation, 'notify')
    if (queues) await router.queue(change, { trigger: NOTIFY, channels, organizations })
    else if (channels) await router.addTask(change, channels)
  },
}

/** Checks that the named records are on the conversation's organization path and visible to the sender. */
async function requireKnown(
  { change, sender }: Pick<CommandRun, 'change' | 'sender'>,
  table: 'channel' | 'organization',
  organizationColumn: 'organization_id' | 'id',
  ids: readonly string[],
  field: string,
): Promise<void> {
  const values: unknown[] = [ids, pathOf(change.conversation)]
  const visible = ownOrAboveSql(sender, 't', values, organizationColumn)
  const rows = await change.sql.query<{ id: string }>(
    reading(`select t.id from ${table} t where t.id = any($1::uuid[]) and t.${organizationColumn} = any($2::uuid[])
       and ${visible}`),
    values,
  )
  const known = new Set(rows.map(({ id }) => id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing < 0) return
  const named = `${field}[${missing}]`
  throw new NotFound(`${named}: ${table} "${ids[missing]}" not found`, { field: named })
}
