import { reading } from '../../db/sql.js'
import { pathOf, tenantSql } from '../../db/tenancy.js'
import { NotFound } from '../../errors.js'
import { NOTIFY } from '../routing/router.js'
import type { CommandRun, Command } from './command.js'
import { applyMove } from '../writing/transitions.js'
import { idsOf } from './meta-ids.js'

/**
 * `/notify` (4.8): queues the conversation and runs all its workflows; with `meta.organizations`, only those of the
 * listed organizations; with `meta.channels`, notifies exactly those channels and runs no workflows. An active
 * conversation stays active: named channels are notified of a task, anything else has no effect. For a team
 * conversation, where nobody waits for an agent, the command has no effect. None of these cases is an error, since
 * commands of one client may arrive in any order.
 */
export const notify: Command = {
  name: 'notify',
  permission: 'conversation.command',
  async run(run) {
    const { draft, router, meta } = run
    if (draft.conversation.type !== 'contact') return
    const channels = idsOf(meta, 'channels')
    const organizations = idsOf(meta, 'organizations')
    if (channels) await requireKnown(run, 'channel', 'organization_id', channels, 'meta.channels')
    if (organizations) await requireKnown(run, 'organization', 'id', organizations, 'meta.organizations')
    const { queues } = applyMove(draft.conversation, 'notify')
    if (queues) await router.queue(draft, { trigger: NOTIFY, channels, organizations })
    else if (channels) await router.addTask(draft, channels)
  },
}

/** Checks that the named records are on the conversation's organization path and visible to the sender. */
async function requireKnown(
  { draft, sender }: CommandRun,
  table: 'channel' | 'organization',
  organizationColumn: string,
  ids: readonly string[],
  field: string,
): Promise<void> {
  const values: unknown[] = [ids, pathOf(draft.conversation), [...sender.path]]
  const tenant = tenantSql(sender, 't', values)
  const rows = await draft.sql.query<{ id: string }>(
    reading(`select t.id from ${table} t where t.id = any($1::uuid[]) and t.${organizationColumn} = any($2::uuid[])
       and (${tenant} or t.${organizationColumn} = any($3::uuid[]))`),
    values,
  )
  const known = new Set(rows.map(({ id }) => id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing < 0) return
  const named = `${field}[${missing}]`
  throw new NotFound(`${named}: ${table} "${ids[missing]}" not found`, { field: named })
}
