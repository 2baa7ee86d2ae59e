import { entryOfMutation } from '../../platform/audit/audit-entry.js'
import { AuditedMutation } from '../../platform/access/audited-mutation.js'
import type { Context } from '../../platform/context.js'
import { recordChangesOf } from '../../platform/db/record-changes.js'
import { BadUserInput, ChangedMeanwhile, DomainError, Unprocessable } from '../../platform/errors.js'
import type { Emit } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { documentRefusal } from './document-text.js'
import { keepRuleIds } from './keep-rule-ids.js'
import { lockChannels, lockRecords } from './lock-records.js'
import type { MatchedRecord, Matches, Names } from './match-records.js'
import type { DesiredRecord, RoutingDocumentContent } from './read-document.js'
import type { RenderedRecord } from './render-records.js'
import type { StoredRecord } from './routing-state.js'
import { permissionOf, SECTIONS, TRAITS, type Section } from './sections.js'
import { MUTATIONS, type Values, type WriteOptions } from './single-mutations.js'
import { orderSkills } from './skill-order.js'
import { refuseChanged } from './state-digest.js'

/** Time after which no change is begun. */
export interface Deadline {
  at: number
  /** Tells what took too long. */
  message: string
}

/** The changes of a document that are to be made. */
export interface ToPerform {
  content: RoutingDocumentContent
  matches: Matches
  names: Names
  /** The records as they are stored, by id. */
  stored: ReadonlyMap<string, StoredRecord>
  organization: string
  comment: string | null
  /** Without the records that would not differ: a mutation of one would count as a change of it. */
  changing: ReadonlySet<MatchedRecord>
  deadline: Deadline
}

/**
 * Makes all changes of a document in one transaction, each by the mutation that makes it alone: with its checks, its permission, its
 * events, its history and its audit entry. What nothing else names goes first, what others name comes before them. Channels change last:
 * agents and conversations wait for them.
 * @returns the users whose access changed
 */
export async function performChanges(ctx: Context, tx: WriteTx, toPerform: ToPerform): Promise<string[]> {
  const { matches, content } = toPerform
  const users: string[] = []
  const removed = new Set<RenderedRecord>()
  const change = (
    section: Section,
    act: Single['act'],
    at: string,
    run: (options: WriteOptions) => Promise<unknown>,
    record?: RenderedRecord,
  ): Promise<void> => {
    const { at: end, message } = toPerform.deadline
    if (ctx.clock.now().getTime() > end) throw new Unprocessable(message)
    return single(ctx, tx, { section, act, at, content, record }, (transact) =>
      run({ transact, onAccessChange: (more) => void users.push(...more) }),
    )
  }
  const removeAll = async (section: Section, records: readonly RenderedRecord[] = matches.removed): Promise<void> => {
    for (const record of records) {
      if (record.section !== section || removed.has(record)) continue
      removed.add(record)
      await change(section, 'delete', section, (options) => remove(ctx, options, record), record)
    }
  }
  const updateAll = async (section: Section, matched: Iterable<MatchedRecord> = toPerform.changing): Promise<void> => {
    for (const match of matched) {
      const { desired, stored } = match
      if (!stored || desired.section !== section) continue
      const run = (options: WriteOptions): Promise<unknown> =>
        update(ctx, options, { desired, record: stored }, toPerform)
      await change(section, 'update', desired.at, run, stored)
    }
  }
  const createAll = async (section: Section): Promise<void> => {
    for (const { desired, stored } of matches.matched) {
      if (stored || desired.section !== section) continue
      await change(section, 'create', desired.at, async (options) =>
        toPerform.names.created(desired, (await create(ctx, options, desired, toPerform)).id),
      )
    }
  }
  await lockRecords(ctx, tx, toPerform)
  for (const section of ['workflows', 'slaPolicies'] as const) await removeAll(section)
  const skills = await orderSkills(tx, matches, toPerform.changing)
  await removeAll('skills', skills.first)
  await updateAll('skills', skills.renamed)
  for (const section of SECTIONS) {
    if (section !== 'skills' && section !== 'channels') await updateAll(section)
    await createAll(section)
  }
  for (const section of ['schedules', 'holidayCalendars', 'skills'] as const) await removeAll(section)
  await updateAll('skills', skills.late)
  await lockChannels(ctx, tx, toPerform)
  await updateAll('channels')
  await removeAll('channels')
  return users
}

interface Single {
  section: Section
  act: 'create' | 'update' | 'delete'
  at: string
  content: RoutingDocumentContent
  record: RenderedRecord | undefined
}

/** Runs one mutation within the transaction of all, and leaves the audit entry that it leaves by itself. */
async function single(
  ctx: Context,
  tx: WriteTx,
  { section, act, at, content, record }: Single,
  run: (transact: Transact) => Promise<unknown>,
): Promise<void> {
  const { resource } = TRAITS[section]
  ctx.require(permissionOf(section, act))
  const events: { type: string; data: JsonObject }[] = []
  const changes = recordChangesOf(tx.em)
  const emit: Emit = (stream, type, data) => {
    events.push({ type, data: data as unknown as JsonObject })
    tx.emit(stream, type, data)
  }
  try {
    await run(async (_ctx, work) => {
      const result = await work({ ...tx, emit })
      await tx.em.flush()
      return result
    })
  } catch (error) {
    if (error instanceof ChangedMeanwhile && record) refuseChanged([{ section, name: record.title }])
    throw placed(error, at, content)
  }
  // What the next mutation reads is what this one wrote, also by SQL.
  tx.em.clear()
  if (!ctx.mutation) return
  const name = `${act}${resource[0]!.toUpperCase()}${resource.slice(1)}`
  const mutation = new AuditedMutation(name, record ? { id: record.id } : {}, ctx.mutation.caller)
  const entry = entryOfMutation({ maybeCaller: ctx.maybeCaller, mutation }, { events, changes })
  tx.addAudit({ ...entry, details: { ...entry.details, by: ctx.mutation.name } })
}

/** Adds to a refusal where in the document its reason is. */
function placed(error: unknown, at: string, { locate }: RoutingDocumentContent): unknown {
  if (!(error instanceof DomainError)) return error
  const { field: within } = error.details
  const field = typeof within === 'string' && at.includes('[') ? `${at}.${within}` : at
  const place = locate(field)
  if (error instanceof BadUserInput) return documentRefusal([{ ...place, field, message: `${at}: ${error.message}` }])
  const message = `line ${place.line}, column ${place.column}: ${at}: ${error.message}`
  const problems = [{ ...place, field, message: error.message }]
  return new DomainError(error.code, message, { ...error.details, field, ...place, problems })
}

/** Fills in what a record of the document leaves out: it has the default then, not what was stored before. */
function inputOf({ section, name }: DesiredRecord, values: JsonObject): Values {
  const { id: _, externalId: __, position, ...given } = values
  const absent = Object.fromEntries(TRAITS[section].keys.filter((key) => !UNSET.has(key)).map((key) => [key, null]))
  return { ...absent, ...given, name, ...(position !== undefined && { position }) }
}
/** Not of an input, or with a default that depends on others: the place of a policy stays. */
const UNSET = new Set(['externalId', 'position'])

function create(
  ctx: Context,
  options: WriteOptions,
  desired: DesiredRecord,
  { names, organization, comment }: ToPerform,
): Promise<{ id: string }> {
  const { section, externalId } = desired
  const input: Values = { ...inputOf(desired, names.resolve(desired)), organization }
  const given = section === 'workflows' ? { ...input, _id: externalId } : input
  return MUTATIONS[section].create(ctx, options, given, comment)
}

function update(
  ctx: Context,
  options: WriteOptions,
  { desired, record }: { desired: DesiredRecord; record: RenderedRecord },
  { names, stored, comment }: ToPerform,
): Promise<unknown> {
  const { section } = desired
  const { id, version } = record
  const values = inputOf(desired, names.resolve(desired))
  // Under the lock of hours nobody else changes these; a calendar that was changed before makes new versions of its schedules.
  const isLocked = section === 'holidayCalendars' || section === 'schedules'
  const rules = section === 'workflows' && { rules: keepRuleIds(values.rules, stored.get(id)!.values.rules!) }
  const patch = { ...values, ...rules, ...(!isLocked && { ifVersion: version }) }
  return MUTATIONS[section].update(ctx, options, { id, patch, comment })
}

const remove = (ctx: Context, options: WriteOptions, { section, id }: RenderedRecord): Promise<unknown> =>
  MUTATIONS[section].remove(ctx, options, id)
