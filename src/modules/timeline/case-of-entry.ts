import type { Context } from '../../platform/context.js'
import { reading } from '../../platform/db/sql.js'
import type { TimelineRow } from './timeline-sql.js'

/** The users who had a conversation between its beginning, or a reopening, and its closing, and the channels of its queues. */
export interface CaseOfEntry {
  /** The last of them first. */
  users: string[]
  channels: string[]
}

interface Step {
  conversation: string
  kind: string
  at: Date
  user: string | null
  channels: string[]
}

/** Reads the cases that entries begin or end, by their keys. Milestones that reports no longer reach are gone: then it is unknown. */
export async function casesOfEntries(ctx: Context, rows: readonly TimelineRow[]): Promise<Map<string, CaseOfEntry>> {
  const entries = rows.filter(({ kind }) => kind === 'begun' || kind === 'closed' || kind === 'reopened')
  if (entries.length === 0) return new Map()
  const ids = [...new Set(entries.map(({ conversation }) => conversation!))]
  const steps = Map.groupBy(
    await ctx.lists.query<Step>(STEPS, [ids], 'timeline-cases'),
    ({ conversation }) => conversation,
  )
  return new Map(entries.map((entry) => [entry.key, caseOf(entry, steps.get(entry.conversation!) ?? [])]))
}

function caseOf({ kind, at }: TimelineRow, steps: readonly Step[]): CaseOfEntry {
  const time = at.getTime()
  const isClosing = (step: Step): boolean => step.kind === 'closed'
  // Steps of one operation have one time: those before the closing belong to the case that it ends.
  const end =
    kind === 'closed'
      ? steps.findIndex((step) => isClosing(step) && step.at.getTime() === time)
      : steps.findIndex((step) => isClosing(step) && step.at.getTime() >= time)
  const until = end < 0 ? steps.length : end + 1
  const from = steps.slice(0, end < 0 ? until : end).findLastIndex(isClosing) + 1
  const own = steps.slice(from, until)
  const users = own.flatMap((step) => (step.kind === 'accepted' && step.user ? [step.user] : []))
  const places = own.filter(({ channels }) => channels.length > 0)
  const place = kind === 'closed' ? places.at(-1) : places[0]
  return { users: [...new Set(users.toReversed())], channels: place?.channels ?? [] }
}

const STEPS = reading(`
select m.conversation_id as conversation, m.kind, m.at, m.user_id as "user", m.channels
from milestone m where m.conversation_id = any($1::uuid[]) and m.kind in ('created', 'queued', 'accepted', 'closed')
order by m.conversation_id, m.nth`)
