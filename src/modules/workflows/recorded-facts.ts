import { contextFacts, type FactName } from './facts.js'
import { compilePath } from './paths.js'
import { Situation, UNKNOWN, type FactPath, type SeenFacts } from './situation.js'

/** Facts whose members have fixed names, so that a recorded member answers for all that is in it. */
const FIXED: ReadonlySet<FactName> = new Set(['conversation', 'message', 'contact', 'organization', 'results'])

/**
 * Restores the facts of a decision for rules that did not make it. A place that was read has the value of then, also if
 * there was none; the clock stands where it stood. Everything else is {@link UNKNOWN}: its present value may be another.
 * @param read the places that the rules of the decision read, by `FactPath.key`
 * @param decidedAt time of the decision
 */
export function recordedSituation(seen: SeenFacts, read: ReadonlySet<string>, decidedAt: Date): Situation {
  const clock = contextFacts(decidedAt)
  const wasRead = (key: string): boolean => Object.hasOwn(seen, key) || read.has(key)
  return Situation.recorded(seen, ({ key, fact, read: valueIn }: FactPath) => {
    if (wasRead(key)) return undefined
    const path = key.slice(fact.length)
    const [, first = '', rest] = /^\.([^.]+)(\..+)?$/s.exec(path) ?? []
    if (fact === 'context') return Object.hasOwn(clock, first) ? valueIn(clock) : UNKNOWN
    const member = `${fact}.${first}`
    if (!FIXED.has(fact) || rest === undefined || !wasRead(member)) return UNKNOWN
    return compilePath(rest)(seen[member])
  })
}
