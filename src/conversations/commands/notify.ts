import { pathOf, tenantSql } from '../../db/tenancy.js'
import { NotFound, Unprocessable } from '../../errors.js'
import type { ConversationWork } from '../conversation-work.js'
import { NOTIFY } from '../router.js'
import type { CommandRun, Command } from './command.js'
import { applyMove } from '../transitions.js'
import { idsOf } from './meta-ids.js'

/**
 * `/notify` (4.8): queues the conversation and runs all its workflows; with `meta.organizations` only those of the
 * listed organizations; with `meta.channels` exactly those channels, past the workflows.
 */
export const notify: Command<'notify'> = {
  name: 'notify',
  permission: 'conversation.command',
  async run(run) {
    const { work, router, meta } = run
    requireConsumer(work)
    const channels = idsOf(meta, 'channels')
    const organizations = idsOf(meta, 'organizations')
    if (channels) await requireKnown(run, 'channel', 'organization_id', channels, 'meta.channels')
    if (organizations) await requireKnown(run, 'organization', 'id', organizations, 'meta.organizations')
    applyMove(work.conversation, 'notify')
    await router.queue(work, { trigger: NOTIFY, channels, organizations })
  },
}

/** Queues are for consumers: a team conversation has nobody who waits. @throws Unprocessable */
export function requireConsumer({ conversation }: ConversationWork): void {
  if (conversation.type === 'contact') return
  throw new Unprocessable(`a conversation of type ${conversation.type} is not queued`, { type: conversation.type })
}

/** The named records must be on the conversation's path of organizations, and known to the sender. */
async function requireKnown(
  { work, sender }: CommandRun,
  table: 'channel' | 'organization',
  organizationColumn: string,
  ids: readonly string[],
  field: string,
): Promise<void> {
  const values: unknown[] = [ids, pathOf(work.conversation), [...sender.path]]
  const tenant = tenantSql(sender, 't', values)
  const rows = await work.sql.query<{ id: string }>(
    `select t.id from ${table} t where t.id = any($1::uuid[]) and t.${organizationColumn} = any($2::uuid[])
       and (${tenant} or t.${organizationColumn} = any($3::uuid[]))`,
    values,
  )
  const known = new Set(rows.map(({ id }) => id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing < 0) return
  const named = `${field}[${missing}]`
  throw new NotFound(`${named}: ${table} "${ids[missing]}" not found`, { field: named })
}
