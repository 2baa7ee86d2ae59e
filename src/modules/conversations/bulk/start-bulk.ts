import { createHash } from 'node:crypto'
import { checkSteps } from '../../macros/check-steps.js'
import { fetchMacro } from '../../macros/macro-list.js'
import type { MacroStepInput, Step } from '../../macros/macro-step.js'
import { parseId, parseStep } from '../../macros/parse-steps.js'
import { lockToCount } from '../../organizations/owned-record.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { tenantSql, type OrganizationPath } from '../../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { isAbsent } from '../../../platform/input.js'
import { archived } from '../acts/run-macro.js'
import {
  BULK_CONVERSATIONS_MAX,
  BULK_REPLIES_MAX,
  BULK_SLICE,
  bulkKey,
  emitBulkChanged,
  readRuns,
  requireRun,
  type BulkRunRow,
  type MacroOfRun,
} from './bulk-run.js'

/** Runs under way at once. */
const UNDER_WAY = { user: 3, customer: 20 }
const PER_DAY = 500
const DAY_MS = 86_400_000

/** Either a step, or a macro. */
export interface BulkAct {
  step?: MacroStepInput | null
  macro?: string | null
}

export interface BulkRequest {
  /** Chosen by the client: a repeat gets the run that the first one has begun. */
  id: string
  act: BulkAct
  /** Null: those of the filter. */
  conversations: readonly string[] | null
  /** Conditions on the conversations, for comparison with a repeat. */
  filter: object | null
  /** Finds the conversations of the filter, one more than possible at most. @throws BadUserInput if it would fit all */
  find(): Promise<string[]>
}

/**
 * Begins an act with many conversations, which jobs do: one conversation a transaction. What each is at the time decides, and what
 * the caller may do then.
 * @throws BadUserInput; NotFound, Unprocessable for what the act names; Unprocessable `TOO_MANY` for runs under way
 */
export async function startBulk(ctx: Context, transact: Transact, request: BulkRequest): Promise<BulkRunRow> {
  const { user } = ctx.userCaller
  const id = parseRunId(request.id)
  const given = request.conversations && parseConversations(request.conversations)
  if ((given === null) === (request.filter === null))
    throw new BadUserInput('conversations', 'either conversations or filter is required', 'MISSING_VALUE')
  const hash = hashOf([given, request.filter, request.act])
  const earlier = await repeated(ctx, id, hash)
  if (earlier) return earlier
  const { steps, macro } = await readAct(ctx, request.act)
  const ids = given ?? (await findAll(request))
  const isWriting = steps.some(({ kind }) => kind === 'reply' || kind === 'form')
  if (isWriting && ids.length > BULK_REPLIES_MAX) {
    const limit = `at most ${BULK_REPLIES_MAX} consumers can be written to at once`
    throw new BadUserInput(given ? 'conversations' : 'filter', `${limit}, not ${ids.length}`)
  }
  return transact(ctx, async (tx) => {
    const { caller } = ctx
    const customer = customerOf(caller.path)
    await lockToCount(tx, customer)
    const inserted = await tx.query(
      `insert into bulk_run (id, user_id, org1, customer_id, scopes, request_hash, steps, macro, state, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'running', $9) on conflict (id) do nothing returning id`,
      [
        id,
        user,
        caller.path[0],
        customer,
        [...caller.scopes],
        hash,
        JSON.stringify(steps),
        macro && JSON.stringify(macro),
        ctx.now(),
      ],
    )
    if (inserted.length === 0) {
      const [own] = await readRuns(tx, [id], user)
      if (own) return requireSame(own, hash)
      throw new BadUserInput('id', `the id ${id} is in use: choose another one`)
    }
    await checkNumber(tx, ctx)
    await insertItems(tx, ctx, id, ids)
    tx.addJob(BULK_SLICE.create({ run: id, user }, { key: bulkKey(customer) }))
    emitBulkChanged(tx, { id, userId: user })
    return requireRun(tx, id, user)
  })
}

function parseRunId(id: string): string {
  if (!isId(id)) throw new BadUserInput('id', `id must be a UUID, not ${quoteValue(id)}`)
  return id.toLowerCase()
}

function parseConversations(given: readonly string[]): string[] {
  if (given.length === 0 || given.length > BULK_CONVERSATIONS_MAX)
    throw new BadUserInput(
      'conversations',
      `conversations has ${given.length} ids; 1 to ${BULK_CONVERSATIONS_MAX} are possible at once`,
    )
  const ids = given.map((each, index) => parseId('Conversation', each, `conversations[${index}]`))
  const known = new Set<string>()
  for (const [index, each] of ids.entries()) {
    if (known.has(each))
      throw new BadUserInput(`conversations[${index}]`, `conversations[${index}] names ${each} again`)
    known.add(each)
  }
  return ids
}

async function findAll({ find }: BulkRequest): Promise<string[]> {
  const ids = await find()
  if (ids.length === 0) throw new BadUserInput('filter', 'filter fits no conversation')
  if (ids.length > BULK_CONVERSATIONS_MAX)
    throw new BadUserInput('filter', `filter fits more than ${BULK_CONVERSATIONS_MAX} conversations: narrow it`)
  return ids
}

async function readAct(ctx: Context, act: BulkAct): Promise<{ steps: Step[]; macro: MacroOfRun | null }> {
  if (isAbsent(act.step) === isAbsent(act.macro))
    throw new BadUserInput('act.step', 'act needs either step or macro', 'MISSING_VALUE')
  if (!isAbsent(act.macro)) {
    const macro = await fetchMacro(ctx, act.macro, { field: 'act.macro' })
    if (macro.archivedAt !== null) throw archived(macro)
    const { id, name, organizationId, channels, steps } = macro
    return { steps, macro: { id, name, organizationId, channels } }
  }
  const step = parseStep(act.step, 'act.step')
  const scope = { path: ctx.caller.path, stored: [], at: () => 'act.step' }
  return { steps: await checkSteps(ctx, ctx.reads, [step], scope), macro: null }
}

const hashOf = (asked: unknown): string => createHash('sha256').update(JSON.stringify(asked)).digest('base64')

async function repeated(ctx: Context, id: string, hash: string): Promise<BulkRunRow | null> {
  const [earlier] = await readRuns(ctx.reads, [id], ctx.userCaller.user)
  return earlier ? requireSame(earlier, hash) : null
}

function requireSame(run: BulkRunRow, hash: string): BulkRunRow {
  if (run.requestHash === hash) return run
  throw new Unprocessable(`the id ${run.id} was used with another request: choose another one`, {
    reason: 'IDEMPOTENCY_KEY_REUSED',
    field: 'id',
  })
}

/** Returns whose runs take turns: those of another customer of the contact center have turns of their own. */
const customerOf = ([center, customer]: OrganizationPath): string => customer ?? center

async function checkNumber(tx: WriteTx, ctx: Context): Promise<void> {
  const { user, path } = ctx.userCaller
  const [row] = await tx.query<{ own: number; all: number; day: number }>(
    `select count(*) filter (where user_id = $1)::int as own, count(*)::int as all,
       (select count(*)::int from bulk_run d where d.user_id = $1 and d.created_at > $3) as day
     from bulk_run where customer_id = $2 and state in ('running', 'undoing')`,
    [user, customerOf(path), new Date(ctx.now().getTime() - DAY_MS)],
  )
  const { own, all, day } = row!
  // With the one that begins.
  const refusal =
    own > UNDER_WAY.user
      ? `you have ${UNDER_WAY.user} bulk runs under way: wait until one of them ends`
      : all > UNDER_WAY.customer
        ? `your organization has ${UNDER_WAY.customer} bulk runs under way: wait until one of them ends`
        : day > PER_DAY
          ? `you have begun ${PER_DAY} bulk runs within a day: wait, or do more conversations in one`
          : null
  if (refusal) throw new Unprocessable(refusal, { reason: 'TOO_MANY' })
}

async function insertItems(tx: WriteTx, ctx: Context, run: string, ids: readonly string[]): Promise<void> {
  const values: unknown[] = [run, ids]
  const tenant = tenantSql(ctx.tenant, 'c', values)
  await tx.query(
    `insert into bulk_item (run_id, conversation_id, last_message_id)
     select $1, x.id, c.last_message_id from unnest($2::uuid[]) as x(id)
     left join conversation c on c.id = x.id and ${tenant}`,
    values,
  )
}
