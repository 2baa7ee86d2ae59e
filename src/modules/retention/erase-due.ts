import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import { pathOf, tenantSql } from '../../platform/db/tenancy.js'
import { NotFound, Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { NewJob } from '../../platform/jobs/job.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Attachment } from '../attachments/attachment.js'
import { removeAttachment } from '../attachments/attachment-writes.js'
import { Contact } from '../contacts/contact.js'
import { removeTogether } from '../conversations/sending/remove-conversation.js'
import type { ConversationChange } from '../conversations/state/conversation-change.js'
import { CONVERSATION_DELETED, deletionKey } from '../conversations/state/deletion-jobs.js'
import { isIdSql } from '../conversations/state/files-of-conversation.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { holdsOnAttachment, holdsOnContact, OnHold, refuseHeld, shareHolds } from '../holds/held.js'
import type { HoldName } from '../holds/hold.js'
import { isAwaited } from '../conversations/messages/attachment-uses.js'
import { startErasure } from '../privacy/erase-contact.js'
import { stillDue, type DueRecords } from './due-records.js'
import { holdsOnRecords } from './holds-on-records.js'
import type { RetentionSubject } from './retention-policy.js'

export interface ErasingDue {
  accessChanges: AccessChanges
  transact: Transact
  writer: ConversationWriter
}

/** A run, as far as one of its records needs it. */
export interface RunOfDue {
  id: string
  due: DueRecords
}

/**
 * Results of a record's turn. `left`: it is not due any more, or gone. `stopped`: the run has ended, since its policy was changed.
 */
export type Outcome = { kind: 'erased' | 'left' | 'failed' | 'stopped' } | { kind: 'held'; holds: HoldName[] }

class Left extends Unprocessable {
  constructor(readonly outcome: 'left' | 'stopped') {
    super('the record is not due any more', { reason: 'CHANGED_MEANWHILE' })
  }
}

/** Erases one record. @throws Left, OnHold */
type Erase = (erasing: ErasingDue, system: Context, run: RunOfDue, id: string) => Promise<void>

const ERASE: Readonly<Record<Exclude<RetentionSubject, 'conversations'>, Erase>> = {
  attachments: eraseAttachment,
  contacts: eraseIdleContact,
}

/** Records that are erased in one transaction: conversations by sets, of the others each has much that goes with it. */
export const TOGETHER: Readonly<Record<RetentionSubject, number>> = { conversations: 200, attachments: 1, contacts: 1 }

/**
 * Erases records in a transaction of their own, those of them that are still due if their policy still holds; also twice, or on two
 * nodes. If one of several holds up the others, each has a transaction for itself.
 * @returns what became of each
 */
export async function eraseDue(
  erasing: ErasingDue,
  system: Context,
  run: RunOfDue,
  ids: readonly string[],
): Promise<Map<string, Outcome>> {
  const { subject } = run.due
  try {
    if (subject === 'conversations') return await eraseConversations(erasing, system, run, ids)
    for (const id of ids) await ERASE[subject](erasing, system, run, id)
    return outcomesOf(ids, { kind: 'erased' })
  } catch (error) {
    if (error instanceof Left && error.outcome === 'stopped') return outcomesOf(ids, { kind: 'stopped' })
    if (ids.length === 1) return outcomesOf(ids, outcomeOf(error, system, run, ids[0]!))
    const outcomes = new Map<string, Outcome>()
    for (const id of ids)
      for (const [each, outcome] of await eraseDue(erasing, system, run, [id])) outcomes.set(each, outcome)
    return outcomes
  }
}

const outcomesOf = (ids: readonly string[], outcome: Outcome): Map<string, Outcome> =>
  new Map(ids.map((id) => [id, outcome]))

function outcomeOf(error: unknown, system: Context, run: RunOfDue, id: string): Outcome {
  if (error instanceof Left) return { kind: error.outcome }
  if (error instanceof NotFound) return { kind: 'left' }
  if (error instanceof OnHold) return { kind: 'held', holds: error.details.holds as HoldName[] }
  system.log.warn({ err: error, run: run.id, record: id }, 'a record could not be erased: the next run tries again')
  return { kind: 'failed' }
}

function eraseConversations(
  { writer }: ErasingDue,
  system: Context,
  run: RunOfDue,
  [first, ...others]: readonly string[],
): Promise<Map<string, Outcome>> {
  const erase = async (change: WritingChange): Promise<Map<string, Outcome>> => {
    const { sql } = change
    const changes = new Map([change, ...change.others.values()].map((each) => [each.conversation.id, each]))
    await requireRunning(sql, run)
    const due = await stillDue(sql, run.due, [...changes.keys()])
    const held = await holdsOnRecords(sql, 'conversations', due)
    const gone = due.filter((id) => !held.has(id)).map((id) => changes.get(id)!)
    const outcomes = outcomesOf([...changes.keys()], { kind: 'left' })
    for (const [id, holds] of held) outcomes.set(id, { kind: 'held', holds })
    if (gone.length === 0) return outcomes
    for (const { conversation } of gone) outcomes.set(conversation.id, { kind: 'erased' })
    const files = await filesSent(sql, run.due, gone)
    await removeTogether(change, gone, { isErased: false })
    for (const job of deletionsOf(gone, files)) change.addJob(job)
    change.afterWrites(COUNT, [run.id, system.now(), gone.length])
    return outcomes
  }
  return writer.runExclusive(system, first!, erase, { alsoLock: others, cost: 1 + others.length })
}

/** Returns the jobs that erase what conversations leave: one for those of an organization, whose administrators see what is not done. */
function deletionsOf(gone: readonly ConversationChange[], files: ReadonlyMap<string, string[]>): NewJob[] {
  const byOrganization = Map.groupBy(gone, ({ conversation }) => conversation.organizationId)
  return [...byOrganization.values()].map((those) => {
    const conversations = those.map(({ conversation }) => conversation.id)
    const attachments = conversations.flatMap((id) => files.get(id) ?? [])
    const path = pathOf(those[0]!.conversation)
    return CONVERSATION_DELETED.create({ conversations, path, attachments }, deletionKey(conversations[0]!))
  })
}

/**
 * Finds the files that go with conversations, unless others need them: those of their messages, of the policy's organization and below.
 * What was only proposed may be for others too, as may what has tags.
 */
async function filesSent(
  sql: Sql,
  { path }: DueRecords,
  gone: readonly ConversationChange[],
): Promise<Map<string, string[]>> {
  const values: unknown[] = [gone.map(({ conversation }) => conversation.id)]
  const rows = await sql.query<{ conversation: string; files: string[] }>(
    `select m.conversation_id as conversation, array_agg(distinct a.id::text) as files from message m join attachment a
       on a.id = (case when ${isIdSql("m.meta ->> 'fileId'")} then m.meta ->> 'fileId' end)::uuid
     where m.conversation_id = any($1::uuid[]) and m.meta ? 'fileId' and a.tags = '{}' and ${tenantSql({ path }, 'a', values)}
     group by m.conversation_id`,
    values,
  )
  return new Map(rows.map(({ conversation, files }) => [conversation, files]))
}

function eraseAttachment({ transact }: ErasingDue, system: Context, run: RunOfDue, id: string): Promise<void> {
  return transact(system, async (tx) => {
    const attachment = await fetchRecord(system, Attachment, id, { em: tx.em, lock: true })
    await requireDue(tx, run, attachment)
    refuseHeld(await holdsOnAttachment(tx, attachment), `attachment ${id}`)
    if (await isAwaited(tx, id, system.now())) throw new Left('left')
    await removeAttachment(tx, attachment)
    await count(tx, run, system)
  })
}

async function eraseIdleContact(erasing: ErasingDue, system: Context, run: RunOfDue, id: string): Promise<void> {
  await erasing.transact(system, async (tx) => {
    const contact = await fetchRecord(system, Contact, id, { em: tx.em, lock: true })
    await lockConversations(tx, id)
    await requireDue(tx, run, contact)
    // One that a hold keeps is no demand of anybody: it is not blocked, but has its turn again.
    refuseHeld(await holdsOnContact(tx, contact), `contact ${id}`)
    await startErasure(system, tx, contact, 'notNeeded')
    await count(tx, run, system)
  })
  erasing.accessChanges.userChanged(id)
}

/**
 * Keeps the contact's conversations as they are until the transaction ends. Sends lock a conversation before its contact: whoever has
 * one at the moment is not waited for. @throws Left if somebody has
 */
async function lockConversations(tx: WriteTx, contact: string): Promise<void> {
  const [all] = await tx.query<{ count: number }>(
    'select count(*)::int as count from conversation where contact_id = $1',
    [contact],
  )
  const locked = await tx.query('select 1 from conversation where contact_id = $1 for share skip locked', [contact])
  if (locked.length < all!.count) throw new Left('left')
}

/** Checks that the run goes on, and the record is due. @throws Left */
async function requireDue(sql: Sql, run: RunOfDue, { id }: { id: string }): Promise<void> {
  await requireRunning(sql, run)
  if ((await stillDue(sql, run.due, [id])).length === 0) throw new Left('left')
}

/**
 * Checks that the run goes on. Holds and policies that are made at the moment are waited for: what is made later waits for this
 * transaction. @throws Left
 */
async function requireRunning(sql: Sql, { id, due }: RunOfDue): Promise<void> {
  await shareHolds(sql, due.path[0])
  const goesOn = await sql.query(GOES_ON, [id])
  if (goesOn.length === 0) throw new Left('stopped')
}

const GOES_ON = `
select 1 from retention_run r join retention_policy p on p.id = r.policy_id
where r.id = $1 and r.status = 'running' and p.version = r.policy_version and p.ends_at is null`

const COUNT = `
update retention_run set erased = erased + $3::int, updated_at = $2, version = version + 1 where id = $1`

async function count(tx: WriteTx, { id }: RunOfDue, system: Context): Promise<void> {
  await tx.query(COUNT, [id, system.now(), 1])
}
