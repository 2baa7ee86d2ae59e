import { randomBytes } from 'node:crypto'
import type { Caller } from '../access/caller.js'
import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/sql.js'
import type { JsonObject } from '../json.js'
import { networkOf } from '../limits/network-of.js'
import { commitTo } from './entry-hash.js'
import { detailsOfChanges, type RecordedChange } from '../db/record-changes.js'

/** The record that an entry is about. */
export interface AuditObject {
  /** The resource, as its events name it: `channel`. */
  type: string
  id: string
}

/** An event of the same transaction, see `events/event.ts`. */
interface EmittedEvent {
  type: string
  data: JsonObject
}

/** An entry of the audit log. */
export interface NewAuditEntry {
  /** A mutation's name, or `signIn` and the like. */
  action: string
  object: AuditObject | null
  /** The organization that it is about; default: the caller's. */
  organization?: string | null
  /** The user who did it; default: the caller. */
  user?: string
  /** Further details, kept as long as the others. */
  details?: JsonObject
}

const SALT_BYTES = 16
const CHANGES_MAX = 50

/** Returns the entry of a mutation whose transaction is about to commit. */
export function entryOfMutation(
  ctx: Pick<Context, 'maybeCaller' | 'mutation'>,
  { events, changes }: { events: readonly EmittedEvent[]; changes: readonly RecordedChange[] },
): NewAuditEntry {
  const { name, args } = ctx.mutation!
  const event = events.find(({ data }) => typeof data.id === 'string' && typeof data.organization === 'string')
  const named = changes.find(({ id }) => id !== '')
  const object = event
    ? { type: event.type.slice(0, event.type.indexOf('.')), id: event.data.id as string }
    : named
      ? { type: named.record, id: named.id }
      : objectOfArgs(args)
  const shown = detailsOfChanges(changes.slice(0, CHANGES_MAX))
  return {
    action: name,
    object,
    // The operator's mutations name a contact center, and write to it.
    organization: (event?.data.organization ?? (callerOf(ctx)?.kind === 'operator' ? args.id : null) ?? null) as
      | string
      | null,
    details: {
      ...(shown.length > 0 && { changes: shown }),
      ...(changes.length > CHANGES_MAX && { furtherChanges: changes.length - CHANGES_MAX }),
    },
  }
}

/** Returns the entry of a mutation that changes a conversation, or a message of it. */
export function entryOfWrite(
  { mutation }: Context,
  conversation: { id: string; organizationId: string },
): NewAuditEntry {
  const { name, args } = mutation!
  const isOfMessage = typeof args.id === 'string' && args.id.toLowerCase() !== conversation.id
  const object = { type: 'conversation', id: conversation.id }
  return {
    action: name,
    object: isOfMessage ? { type: 'message', id: args.id as string } : object,
    organization: conversation.organizationId,
    ...(isOfMessage && { details: { conversation: conversation.id } }),
    ...(typeof args.proposal === 'string' && { details: { proposal: args.proposal.toLowerCase() } }),
  }
}

/** Adds the entry of the mutation that runs, where it writes by SQL alone or nothing but this. */
export async function addMutationEntry(sql: Sql, ctx: Context): Promise<void> {
  if (ctx.mutation?.isAudited) await addAuditEntries(sql, ctx, [entryOfMutation(ctx, { events: [], changes: [] })])
}

/** The record that the arguments of a mutation name. */
function objectOfArgs(args: Readonly<Record<string, unknown>>): AuditObject | null {
  for (const [name, value] of Object.entries(args)) {
    // A code or an address is not what the log is for.
    if (isId(value)) return { type: name === 'id' ? 'record' : name, id: value.toLowerCase() }
  }
  return null
}

/**
 * Adds entries to the audit log, in the transaction of what they tell of. They get their place in the chain afterwards
 * (`modules/audit/chain-entries.ts`), so that nobody waits for another's.
 */
export async function addAuditEntries(sql: Sql, ctx: Context, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const caller = callerOf(ctx)
  const rows = entries.map(({ action, object, organization, user, details = {} }) => {
    const salt = randomBytes(SALT_BYTES).toString('hex')
    const kept: JsonObject = { ...details, ...originOf(ctx) }
    return {
      id: ctx.newId(),
      organization: organization ?? (caller && caller.organization !== '' ? caller.organization : null),
      path: caller?.path ?? [],
      action,
      actor: user === undefined ? actorOf(caller) : { kind: 'user', id: user },
      object,
      salt,
      details: kept,
      commit: commitTo(salt, kept),
    }
  })
  await sql.query(INSERT, [JSON.stringify(rows), ctx.now()])
}

/** An organization that the transaction has deleted is not found: the entry is then its actor's. */
const INSERT = `
insert into audit_entry (id, organization_id, org1, org2, org3, at, action, actor, object, salt, details, commitment)
select x.id, coalesce(o.id, (x.path ->> -1)::uuid), coalesce(o.org1, (x.path ->> 0)::uuid),
  case when o.id is null then (x.path ->> 1)::uuid else o.org2 end,
  case when o.id is null then (x.path ->> 2)::uuid else o.org3 end,
  $2, x.action, x.actor, nullif(x.object, 'null'), x.salt, x.details, x.commit
from jsonb_to_recordset($1::jsonb) as x(id uuid, organization uuid, path jsonb, action text, actor jsonb, object jsonb,
  salt text, details jsonb, commit text)
left join organization o on o.id = x.organization`

/** The caller of the mutation that runs, also where the system writes for it. */
const callerOf = (ctx: Pick<Context, 'maybeCaller' | 'mutation'>): Caller | null =>
  ctx.maybeCaller ?? ctx.mutation?.caller ?? null

function actorOf(caller: Caller | null): JsonObject {
  if (!caller) return { kind: 'system' }
  if (caller.kind === 'operator') return { kind: 'operator' }
  return caller.kind === 'user' ? { kind: 'user', id: caller.user } : { kind: 'contact', id: caller.contact }
}

/** By whose sign-in or token, and from where. */
function originOf(ctx: Context): JsonObject {
  const { address, userAgent } = ctx
  const caller = callerOf(ctx)
  return {
    ...(address !== null && { network: networkOf(address) }),
    ...(userAgent !== null && { userAgent: userAgent.slice(0, 300) }),
    ...(caller?.family !== undefined && { session: caller.family }),
    ...(caller?.apiToken !== undefined && { apiToken: caller.apiToken }),
  }
}
