import { fetchMacro } from '../../macros/macro-list.js'
import type { Macro } from '../../macros/macro.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { ERROR_REASONS, GENERAL_REASON, type ErrorCode, type ErrorReason } from '../../../platform/error-reasons.js'
import { BadUserInput, DomainError, quoteValue, Unavailable, Unprocessable } from '../../../platform/errors.js'
import { idempotently, recordAnswer } from '../../../platform/limits/idempotency.js'
import { requireLastMessage } from '../sending/close-conversation.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { runSteps, type Acting } from './run-steps.js'
import { StepRefused } from './step-refused.js'

/** A run is one request: more is a bulk run. */
export const RUN_CONVERSATIONS_MAX = 100

export interface MacroRun {
  macro: string
  conversations: readonly string[]
  /** Chosen by the client: a repeat gets the first answer. */
  id: string
  /** The last message that the caller saw, of the only conversation. */
  ifLastMessage: string | null
}

/** The reason why a conversation was left as it was. */
export interface Refusal {
  code: ErrorCode
  reason: ErrorReason
  message: string
  /** Number of the step that could not be done, from 1; null if none could begin. */
  step: number | null
}

/** The outcome for a conversation. Plain JSON: kept as the answer of the run. */
export interface RunOutcome {
  conversationId: string
  refusal: Refusal | null
  /** Until when the closing can be undone. */
  undoUntil: string | null
}

/**
 * Runs a macro on conversations, each in a transaction of its own: of each, all steps or none. What became of a conversation is
 * kept with what was done, so that a repeat of the same run, from any node, does none of it twice.
 * @throws NotFound, Unprocessable for the macro; BadUserInput; Unavailable, after which the run can be repeated
 */
export async function runMacro(acting: Acting, ctx: Context, run: MacroRun): Promise<RunOutcome[]> {
  const { conversations, id, ifLastMessage } = parseRun(run)
  const macro = await fetchMacro(ctx, run.macro, { field: 'macro' })
  const outcomes: RunOutcome[] = []
  for (const conversation of conversations) {
    const key = `macro ${id} ${conversation}`
    const input = { macro: macro.id, conversation, ifLastMessage }
    const runOne = (): Promise<RunOutcome> => runOnce(acting, ctx, macro, { conversation, ifLastMessage })
    outcomes.push(await idempotently(ctx, { key, operation: 'runMacro', input }, runOne))
  }
  return outcomes
}

function parseRun({ conversations, id, ifLastMessage }: MacroRun): MacroRun & { conversations: string[] } {
  if (!isId(id)) throw new BadUserInput('id', `id must be a UUID, not ${quoteValue(id)}`)
  const count = conversations.length
  if (count === 0 || count > RUN_CONVERSATIONS_MAX)
    throw new BadUserInput(
      'conversations',
      `conversations has ${count} ids; 1 to ${RUN_CONVERSATIONS_MAX} are possible at once`,
    )
  const written = conversations.map((each) => each.toLowerCase())
  const twice = written.findIndex((each, index) => written.indexOf(each) < index)
  if (twice >= 0)
    throw new BadUserInput(`conversations[${twice}]`, `conversations[${twice}] names ${written[twice]} again`)
  if (ifLastMessage !== null && count > 1)
    throw new BadUserInput('ifLastMessage', 'ifLastMessage is only possible with one conversation')
  return { macro: '', conversations: written, id: id.toLowerCase(), ifLastMessage }
}

async function runOnce(
  acting: Acting,
  ctx: Context,
  macro: Macro,
  { conversation, ifLastMessage }: { conversation: string; ifLastMessage: string | null },
): Promise<RunOutcome> {
  if (macro.archivedAt !== null) throw archived(macro)
  const outcomeOf = (undoUntil: Date | null): RunOutcome => ({
    conversationId: conversation,
    refusal: null,
    undoUntil: undoUntil?.toISOString() ?? null,
  })
  try {
    return await runSteps(acting, {
      ctx,
      conversation,
      steps: macro.steps,
      before(change) {
        requireLastMessage(change, ifLastMessage)
        beginMacro(change, macro, ctx.userCaller.user)
      },
      after: (_change, undoUntil) => outcomeOf(undoUntil),
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const refused = { ...outcomeOf(null), refusal }
    // A repeat must not do later what was refused now, either.
    await ctx.database.sqlTransaction((sql) => recordAnswer(sql, ctx, refused, conversation))
    return refused
  }
}

/** Checks that a macro is meant for a conversation, and counts the run. @throws Unprocessable */
export function beginMacro(
  change: ConversationChange,
  macro: Pick<Macro, 'id' | 'name' | 'organizationId' | 'channels'>,
  user: string,
): void {
  const { conversation } = change
  const path: readonly (string | undefined)[] = pathOf(conversation)
  const isOfChannel =
    macro.channels.length === 0 || conversation.caseChannels.some((channel) => macro.channels.includes(channel))
  if (!path.includes(macro.organizationId) || !isOfChannel)
    throw new Unprocessable(`the macro ${quoteValue(macro.name)} is for other conversations`, {
      reason: 'MACRO_NOT_MEANT',
    })
  change.noted.push({ kind: 'macro', userId: user, ms: null, detail: macro.id })
}

export const archived = ({ name }: Macro): Unprocessable =>
  new Unprocessable(`the macro ${quoteValue(name)} is archived: choose another one`, {
    reason: 'MACRO_ARCHIVED',
    field: 'macro',
  })

/** Returns a refusal that was kept, perhaps by another version of the server, whose reason may be none of this one. */
export function keptRefusal(refusal: Refusal): Refusal {
  const { code, reason } = refusal
  return Object.hasOwn(ERROR_REASONS, reason) ? refusal : { ...refusal, reason: GENERAL_REASON[code] }
}

/** Returns why a run was refused; null for an error that is none, or may pass. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof DomainError) || error instanceof Unavailable) return null
  const { code, message, details } = error
  return { code, reason: details.reason, message, step: error instanceof StepRefused ? error.step : null }
}
