import { Refused, Unreachable } from '@switchboard/client'
import { words } from './words.js'

export interface DecisionFault {
  text: string
  /** The proposal waits no longer: it is shown until it is dismissed, and cannot be decided. */
  hasEnded: boolean
}

/** Returns why a decision was not carried out, and what can be done, in words. */
export function decisionFault(error: Error): DecisionFault {
  if (error instanceof Unreachable) return { text: words.noAnswer, hasEnded: false }
  if (!(error instanceof Refused)) return { text: words.failed(error.message), hasEnded: false }
  const { reason, details, code } = error
  switch (reason) {
    case 'PROPOSAL_STALE':
      return { text: words.stale(newsIn(details.news)), hasEnded: true }
    case 'PROPOSAL_ENDED':
      return { text: words.ended[String(details.status)] ?? words.failed(error.message), hasEnded: true }
    case 'NO_GRANT':
      return { text: words.noGrant, hasEnded: false }
    case 'HASH_DIFFERS':
      return { text: words.otherHash, hasEnded: false }
    case 'BOT_PAUSED':
      return { text: words.ended.PENDING!, hasEnded: true }
  }
  if (code === 'NOT_FOUND') return { text: words.ended.STALE!, hasEnded: true }
  return { text: code === 'FORBIDDEN' ? words.notYours : words.failed(error.message), hasEnded: false }
}

/** Counts what came since, by kind, in the order in which the kinds came. */
function newsIn(news: unknown): string[] {
  const kinds = Array.isArray(news) ? news.map(({ kind }: { kind: string }) => kind) : []
  return [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => words.news[kind]?.(all.length) ?? kind)
}
