import type { Context } from '../../platform/context.js'
import { pathOf, type OrganizationPath } from '../../platform/db/tenancy.js'
import { quoteValue } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { ReadSql } from '../../platform/db/sql.js'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { lockHours } from '../schedules/schedule-writes.js'
import { Organization } from '../organizations/organization.js'
import { readComment } from '../workflows/workflow-input.js'
import { describeChanges, type RecordChanges } from './describe-changes.js'
import { writeDocumentText } from './document-text.js'
import type { DocumentThread } from './document-thread.js'
import { countMembers, noteChannels } from './note-channels.js'
import { countDrafts, noteDrafts } from './note-drafts.js'
import { matchRecords, Names, type MatchedRecord } from './match-records.js'
import { performChanges, type Deadline } from './perform-changes.js'
import { DOCUMENT_VERSION, Problems, readDocument, type RoutingDocumentContent } from './read-document.js'
import { identityOf, renderRecords, type RenderedRecord } from './render-records.js'
import {
  idsNamedBy,
  readNameables,
  readState,
  want,
  type Nameable,
  type StoredRecord,
  type Wanted,
} from './routing-state.js'
import { isObject, mapReferences, permissionOf, SECTIONS, type ReferenceKind, type Section } from './sections.js'
import { refuseCircles } from './skill-order.js'
import { digestOf, requireDigest, requireResolved } from './state-digest.js'
import type { JsonObject } from '../../platform/json.js'

/** Dependencies of the operations on a routing document. */
export interface RoutingCodeOptions {
  transact: Transact
  /** Called after the commit with the users who lost a channel. */
  onAccessChange: (userIds: string[]) => void
  thread: DocumentThread
  /** Schedules exports, plans and applications: each reads all of an organization's routing, and may be a long transaction. */
  turns: FairQueue
}

export interface RoutingPlanResult {
  changes: RecordChanges[]
  notes: string[]
  digest: string
}

export interface Given {
  document: string
  organization?: string | null | undefined
}

export interface GivenApplication extends Given {
  digest: string
  comment?: string | null | undefined
}

/**
 * Writes an organization's own routing as a document.
 * @throws NotFound naming `organization`; Unprocessable for a routing that is too large
 */
export function exportRouting(
  ctx: Context,
  options: RoutingCodeOptions,
  organization: string | null | undefined,
): Promise<{ text: string; digest: string }> {
  return inTurn(ctx, options, () => write(ctx, options, organization))
}

async function write(
  ctx: Context,
  { thread }: RoutingCodeOptions,
  given: string | null | undefined,
): Promise<{ text: string; digest: string }> {
  const organization = await fetchOwner(ctx, given)
  for (const section of SECTIONS) ctx.require(permissionOf(section, 'list'))
  const { rendered } = await readRendered(ctx, ctx.reads, organization, new Set(SECTIONS))
  const sections = SECTIONS.map((section) => [
    section,
    rendered.filter((record) => record.section === section).map(({ entry }) => entry),
  ])
  const value = {
    ...{ version: DOCUMENT_VERSION, organization: organization.name, manages: [...SECTIONS] },
    ...(Object.fromEntries(sections) as JsonObject),
  }
  return { text: await writeDocumentText(thread, value, COMMENT), digest: digestOf(rendered) }
}

const COMMENT = `The routing of an organization: see docs/guide/routing-as-code.md.
Records of the sections in "manages" that are not in this document are removed when it is applied.`

/**
 * Tells what a document would change, by changing it and taking that back: so that a plan is what the application does, and refuses
 * what that refuses. @throws as {@link applyRouting}
 */
export function planRouting(ctx: Context, options: RoutingCodeOptions, given: Given): Promise<RoutingPlanResult> {
  return inTurn(ctx, options, () => plan(ctx, options, given))
}

async function plan(ctx: Context, options: RoutingCodeOptions, given: Given): Promise<RoutingPlanResult> {
  return (await tryOut(ctx, options, await open(ctx, options, given))).plan
}

/** A document with the organization that it is for. */
interface Opened {
  content: RoutingDocumentContent
  /** The text of it. */
  document: string
  organization: Organization
}

async function open(
  ctx: Context,
  { thread }: RoutingCodeOptions,
  { document, organization: id }: Given,
): Promise<Opened> {
  const content = await readDocument(thread, document)
  const organization = await fetchOwner(ctx, id)
  requireOrganization(content, organization)
  return { content, document, organization }
}

/**
 * Makes the changes of a document in one transaction, if nothing that it describes has changed since the plan with the digest.
 * @throws BadUserInput with the lines and columns of what is wrong in the document; DomainError PRECONDITION_FAILED naming what
 *   changed; whatever the single mutations throw, with the line and the column
 */
export function applyRouting(
  ctx: Context,
  options: RoutingCodeOptions,
  given: GivenApplication,
): Promise<RoutingPlanResult> {
  return inTurn(ctx, options, () => apply(ctx, options, given))
}

async function apply(
  ctx: Context,
  options: RoutingCodeOptions,
  { digest, comment: text, ...given }: GivenApplication,
): Promise<RoutingPlanResult> {
  const comment = readComment(text)
  const opened = await open(ctx, options, given)
  const { differs, plan } = await tryOut(ctx, options, opened, digest)
  let users: string[] = []
  const applied = await options.transact(ctx, async (tx) => {
    const changed = await change(ctx, tx, opened, { digest, comment, differs })
    const { changes, after } = changed
    ;({ users } = changed)
    if (ctx.mutation) {
      // Each change has an entry of its own; this one holds them together.
      ctx.mutation.isAudited = false
      const { id: organization } = opened.organization
      const counts = Object.fromEntries(
        (['create', 'update', 'delete'] as const).map((act) => [
          act,
          changes.filter(({ action }) => action === act).length,
        ]),
      )
      const details = { ...counts, ...(comment !== null && { comment }) }
      tx.addAudit({
        action: ctx.mutation.name,
        object: { type: 'organization', id: organization },
        organization,
        details,
      })
    }
    return { changes, notes: plan.notes, digest: digestOf(after) }
  })
  if (users.length > 0) options.onAccessChange([...new Set(users)])
  return applied
}

/** @throws RateLimited when too many of the caller's wait */
function inTurn<T>({ share }: Context, { turns }: RoutingCodeOptions, work: () => Promise<T>): Promise<T> {
  return share ? turns.run(share, work) : work()
}

interface Outcome {
  plan: RoutingPlanResult
  /** Places of the records that would differ. */
  differs: ReadonlySet<string>
}

/** Makes the changes and takes them back. @param digest of the state in which they are to be made */
async function tryOut(
  ctx: Context,
  { transact }: RoutingCodeOptions,
  opened: Opened,
  digest: string | null = null,
): Promise<Outcome> {
  try {
    return await transact(ctx, async (tx): Promise<never> => {
      const { id: organization } = opened.organization
      const drafts = await countDrafts(tx, organization)
      const members = await countMembers(tx, organization)
      const { before, changes, matched, resolved } = await change(ctx, tx, opened, {
        digest,
        comment: null,
        differs: null,
      })
      const changed = new Set(changes.map(({ recordId }) => recordId))
      const differs = matched.filter(({ stored }) => stored && changed.has(stored.id)).map(({ desired }) => desired.at)
      const plan = {
        changes: changes.map(withoutNewId),
        notes: [...noteDrafts(drafts, changes), ...(await noteChannels(ctx, tx, members, changes))],
        digest: digestOf(before, { document: opened.document, resolved }),
      }
      throw new TakenBack({ plan, differs: new Set(differs) })
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome
    throw error
  }
}

/** Ends the transaction of a trial. */
class TakenBack extends Error {
  constructor(readonly outcome: Outcome) {
    super('taken back')
  }
}

interface HowToChange {
  /** The state in which the changes are to be made; null: any. */
  digest: string | null
  comment: string | null
  /** Places of the records that the trial has changed; null: this is the trial. */
  differs: ReadonlySet<string> | null
}

interface Changed {
  /** The records of the document's sections. */
  before: RenderedRecord[]
  after: RenderedRecord[]
  changes: RecordChanges[]
  matched: MatchedRecord[]
  /** The records of the document, with the ids that its names stood for before the changes. */
  resolved: JsonObject[]
  /** Users whose access changed. */
  users: string[]
}

/** Makes the changes of a document in a transaction. */
async function change(
  ctx: Context,
  tx: WriteTx,
  { content, organization, document }: Opened,
  { digest, comment, differs }: HowToChange,
): Promise<Changed> {
  const deadline = deadlineOf(ctx, differs ? APPLICATION_MS_MAX : TRIAL_MS_MAX)
  if (differs) await lockApplications(tx, organization)
  await lockOwnHours(ctx, tx, content)
  const { stored, nameables, rendered } = await readWith(ctx, tx, organization, content)
  const before = ofSections(rendered, content)
  if (digest !== null) requireDigest(digest, before, document)
  const problems = new Problems(content.locate)
  const matches = matchRecords(content, rendered, problems)
  const names = new Names(matches, rendered, nameables)
  for (const { desired } of matches.matched) names.check(desired, problems)
  refuseCircles(matches, problems)
  problems.refuse()
  const resolved = matches.matched.map(({ desired }) => names.resolve(desired))
  if (digest !== null) requireResolved(digest, resolved)
  const users = await performChanges(ctx, tx, {
    ...{ content, matches, names, organization: organization.id, comment, deadline },
    changing: new Set(matches.matched.filter(differs ? ({ desired }) => differs.has(desired.at) : isOther(names))),
    stored: new Map(stored.map((record) => [record.id, record])),
  })
  const after = ofSections((await readRendered(ctx, tx, organization, content.sections)).rendered, content)
  return { before, after, changes: describeChanges(before, after), matched: matches.matched, resolved, users }
}

/** Tells which records of a document may differ from the stored ones. */
function isOther(names: Names): (match: MatchedRecord) => boolean {
  return ({ desired, stored }) =>
    stored !== null && identityOf(desired.section, desired.name, names.resolve(desired)) !== stored.identity
}

interface State {
  stored: StoredRecord[]
  nameables: Nameable[]
  rendered: RenderedRecord[]
}

/** Reads the state of an organization in a document's sections, and what the document names. */
async function readWith(
  ctx: Context,
  tx: WriteTx,
  organization: Organization,
  content: RoutingDocumentContent,
): Promise<State> {
  const wanted = new Map<ReferenceKind, Set<string>>()
  for (const { section, entry } of content.records) {
    mapReferences(section, entry, (kind, value) => {
      if (typeof value === 'string' && kind !== 'groups') want(wanted, kind, value)
      else if (isObject(value)) want(wanted, kind, value.name ?? value.group ?? null)
      return value
    })
  }
  return readRendered(ctx, tx, organization, content.sections, wanted)
}

async function readRendered(
  ctx: Context,
  sql: ReadSql,
  organization: Organization,
  sections: ReadonlySet<Section>,
  alsoWanted: Wanted = new Map(),
): Promise<State> {
  const stored = await readState(sql, organization.id, sections)
  const wanted = idsNamedBy(stored)
  for (const [kind, named] of alsoWanted) for (const name of named) want(wanted, kind, name)
  const path: OrganizationPath = pathOf(organization)
  const nameables = await readNameables(sql, { scope: ctx.tenant, path }, wanted)
  return { stored, nameables, rendered: renderRecords(stored, nameables, organization.id) }
}

const ofSections = (records: readonly RenderedRecord[], { sections }: RoutingDocumentContent): RenderedRecord[] =>
  records.filter(({ section }) => sections.has(section))

/** The id of a trial's record is nobody's. */
const withoutNewId = (change: RecordChanges): RecordChanges =>
  change.action === 'create' ? { ...change, recordId: null } : change

function fetchOwner(ctx: Context, organization: string | null | undefined): Promise<Organization> {
  return fetchRecord(ctx, Organization, organization ?? ctx.caller.organization, { field: 'organization' })
}

/** @throws BadUserInput for a document of another organization */
function requireOrganization({ organization, locate }: RoutingDocumentContent, { name }: Organization): void {
  if (organization === null || organization === name) return
  const problems = new Problems(locate)
  const message = `the document is for the organization ${quoteValue(organization)}, and would be applied to ${quoteValue(name)}`
  problems.add('organization', message)
  problems.refuse()
}

/** Time for the changes of a document: what others have written since its transaction began waits for the end of that in their streams. */
const APPLICATION_MS_MAX = 20_000
/** Time for those that are taken back: less than the 5 s for which others wait for a lock, since a trial must hinder nobody. */
const TRIAL_MS_MAX = 4_000

function deadlineOf({ clock }: Context, ms: number): Deadline {
  const message = `the changes of the document take more than ${ms / 1_000} s: apply its sections, or parts of them, one after the other`
  return { at: clock.now().getTime() + ms, message }
}

/** Lets the changes of hours in the contact center wait, if the document has some: others need not. */
async function lockOwnHours(ctx: Context, tx: WriteTx, { sections }: RoutingDocumentContent): Promise<void> {
  if (sections.has('schedules') || sections.has('holidayCalendars')) await lockHours(ctx, tx)
}

/** Lets the applications to one organization wait for each other: the second finds what the first has created. */
async function lockApplications(tx: WriteTx, { id }: Organization): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('routing ' || $1::text, 0))`, [id])
}
