import { fillPlaceholders, givenNameOf } from '../../canned-responses/fill-placeholders.js'
import { parseMessage, type NewMessage } from '../../messages/message-content.js'
import { isEnding } from '../../macros/parse-steps.js'
import type { Step, StepOf } from '../../macros/macro-step.js'
import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { assertNever } from '../../../platform/errors.js'
import { accept } from '../commands/accept.js'
import { commandMessage } from '../commands/command-of-message.js'
import { set } from '../commands/set.js'
import { senderOf } from '../messages/members.js'
import { agentsToLock } from '../sending/agents-to-lock.js'
import { applyClosing } from '../sending/close-conversation.js'
import { applyHandOver, handOverLocks, parseNote } from '../sending/hand-over.js'
import { processMessage } from '../sending/process-message.js'
import { requireTouchpoint } from '../sending/require-touchpoint.js'
import type { SendDependencies } from '../sending/send-message.js'
import { applyLabels } from '../sending/set-labels.js'
import { applySnooze } from '../sending/snooze-conversation.js'
import type { WritingChange } from '../state/writing-change.js'
import type { OperationOptions, WritingOperation } from '../writer/pending-write.js'
import { snoozeEnd } from './snooze-until.js'
import { atStep } from './step-refused.js'

export type Acting = Pick<SendDependencies, 'writer' | 'router' | 'assignments'>

/** `accept` is no step of a macro: macros accept what waits where their last step needs it. */
export type Act = Step | { kind: 'accept' }

export interface StepsRun<T> {
  ctx: Context
  conversation: string
  steps: readonly Act[]
  /** For how long a closing can be undone; default: as a closing by itself. */
  undoMs?: number
  /** Decides under the lock whether it may begin. */
  before?(change: WritingChange): void | Promise<void>
  /** Ends it in the same transaction. @param undoUntil until when its closing can be undone; null without one */
  after(change: WritingChange, undoUntil: Date | null): T | Promise<T>
  options?: OperationOptions
}

/**
 * Does steps in order with one conversation, in one transaction: all or none, also of what they add to others' screens. A step
 * that ends the caller's part is an operation of its own in it, so that undoing a closing leaves what was done before.
 * @throws StepRefused; what `before` throws; Unavailable
 */
export async function runSteps<T>(acting: Acting, { ctx, conversation, ...run }: StepsRun<T>): Promise<T> {
  const { steps, before, after, options } = run
  const last = steps.at(-1)!
  const ending = isEnding(last) && last.kind !== 'snooze' ? (last as StepOf<'close' | 'handOver'>) : null
  const index = steps.length - 1
  const begin = async (change: WritingChange): Promise<T | null> => {
    await before?.(change)
    for (const [at, step] of (ending ? steps.slice(0, -1) : steps).entries()) await doStep(change, at, step)
    if (!ending) return after(change, null)
    await atStep(ending, index, () => acceptWaiting(change, ctx, acting))
    return null
  }
  const doStep = async (change: WritingChange, at: number, step: Act): Promise<void> => {
    if (step.kind === 'accept') return acceptWaiting(change, ctx, acting)
    await atStep(step, at, () => applyStep(change, ctx, acting, step))
  }
  const end: WritingOperation<T> = async (change) => {
    let undoUntil: Date | null = null
    await atStep(ending!, index, async () => {
      if (ending!.kind === 'close') undoUntil = await applyClosing(change, ctx.userCaller.user, run.undoMs)
      else await giveAway(change, ctx, acting, ending as StepOf<'handOver'>)
    })
    return after(change, undoUntil)
  }
  return acting.writer.runExclusive(ctx, conversation, begin, {
    kind: 'steps',
    cost: steps.length,
    bytes: STEP_BYTES + 4 * JSON.stringify(steps).length,
    delivers: steps.some(({ kind }) => kind === 'reply'),
    agentsToLock: await locksOf(acting, ctx, steps),
    ...(ending && { followedBy: end }),
    ...options,
  }) as Promise<T>
}

const STEP_BYTES = 4_096

async function locksOf({ assignments }: Acting, ctx: Context, steps: readonly Act[]): Promise<string[] | undefined> {
  const last = steps.at(-1)!
  const accepts = last.kind === 'accept' || isEnding(last)
  const accepting = accepts ? await agentsToLock(assignments, senderOf(ctx), [commandMessage(accept, {})]) : undefined
  const colleague = last.kind === 'handOver' ? await handOverLocks(ctx, last.user) : undefined
  const both = [...(accepting ?? []), ...(colleague ?? [])]
  return both.length > 0 ? both : undefined
}

/** Accepts a conversation that waits, unless somebody is faster; one that does not wait stays as it is. */
async function acceptWaiting(change: WritingChange, ctx: Context, { router }: Acting): Promise<void> {
  const { type, status } = change.conversation
  if (type !== 'contact' || status !== 'queued') return
  await say(change, ctx, router, commandMessage(accept, { ifQueued: true }))
}

async function applyStep(change: WritingChange, ctx: Context, acting: Acting, step: Step): Promise<void> {
  const { router } = acting
  switch (step.kind) {
    case 'reply':
      return say(change, ctx, router, parseMessage({ role: 'agent', text: await filled(change, step.text) }))
    case 'note':
      return say(change, ctx, router, parseMessage({ role: 'agent', text: step.text, isBackchannel: true }))
    case 'labels':
      return applyLabels(change, { ...step, user: ctx.userCaller.user })
    case 'category':
      return say(change, ctx, router, commandMessage(set, { attribute: 'category', value: step.category }))
    case 'form':
      return say(change, ctx, router, parseMessage({ type: 'form', role: 'agent', meta: { form: step.form } }))
    case 'snooze': {
      const until = await snoozeEnd(change.sql, { user: ctx.userCaller.user, now: change.now }, step)
      return applySnooze(change, ctx, { router }, { until, field: 'until' })
    }
    case 'handOver':
    case 'close':
      throw new Error(`the step ${step.kind} ends a run`)
    default:
      return assertNever(step)
  }
}

function giveAway(
  change: WritingChange,
  ctx: Context,
  acting: Acting,
  { user, channel, note }: StepOf<'handOver'>,
): Promise<void> {
  const given = { user, channel, skills: [], mark: null, evenIfAway: false, evenIfFull: false }
  return applyHandOver(change, ctx, acting, { ...given, note: note === null ? null : parseNote(note) })
}

async function say(
  change: WritingChange,
  ctx: Context,
  router: Acting['router'],
  newMessage: NewMessage,
): Promise<void> {
  requireTouchpoint(change.conversation, [newMessage], () => '')
  await processMessage(change, { router, sender: senderOf(ctx), newMessage, id: change.clock.newId() })
}

/** The text of a reply with what its placeholders stand for. */
async function filled({ sql, conversation }: WritingChange, text: string): Promise<string> {
  if (!text.includes('{{')) return text
  const [contact] = await sql.query<{ profile: { givenName?: string; name?: string } }>(
    reading('select profile from contact where id = $1'),
    [conversation.contactId],
    'profile-of-contact',
  )
  return fillPlaceholders(text, { givenName: givenNameOf(contact?.profile ?? null) })
}
