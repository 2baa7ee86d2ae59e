import type { JsonObject } from '../../../platform/json.js'
import { byOf, conversationOf, oneLine, wordsOf, type Told } from './told.js'

const FIELDS_MAX = 5

/** Puts a change of a conversation into words: the one of its changes that people ask about. */
export function changeWords(told: Told): string {
  const { data } = told
  const whole = conversationOf(data)
  const previous = data.previous ?? {}
  const { come, gone } = accepted(data)
  const { status } = data.conversation ?? {}
  if (previous.status !== undefined && previous.status !== status) {
    if (status === 'active') return `${whole} was accepted by ${come[0] ?? told.actor ?? 'an agent'}.`
    if (status === 'closed') return `${whole} was closed${byOf(told)}.`
    if (status === 'archived') return `${whole} was archived${byOf(told)}.`
    const isBack = previous.status === 'active'
    return `${whole} ${isBack ? `was handed back to the queue${byOf(told)}` : 'waits for an agent'}.`
  }
  if (come.length > 0 && gone.length > 0) return `${whole} was handed over from ${gone[0]} to ${come[0]}.`
  if (come.length > 0) return `${come[0]} joined ${whole}.`
  if (gone.length > 0) return `${gone[0]} left ${whole}.`
  if (previous.snoozedUntil !== undefined)
    return `${whole} was ${data.conversation?.snoozedUntil ? 'put off' : 'taken up again'}${byOf(told)}.`
  const fields = Object.keys(previous).slice(0, FIELDS_MAX).map(wordsOf)
  return `${whole} was changed${byOf(told)}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}.`
}

/** Returns the names of who has accepted the conversation since, and of who has no longer. */
function accepted({ previous, conversation }: Told['data']): { come: string[]; gone: string[] } {
  if (!previous?.participants) return { come: [], gone: [] }
  const namesOf = (list: unknown): Map<unknown, string> =>
    new Map(
      ((list ?? []) as JsonObject[])
        .filter((each) => each.accepted === true)
        .map((each) => [each.user, oneLine(each.name) ?? 'an agent']),
    )
  const [before, now] = [namesOf(previous.participants), namesOf(conversation?.participants)]
  const not = (others: Map<unknown, string>) => (entry: [unknown, string]) => !others.has(entry[0])
  return {
    come: [...now].filter(not(before)).map(([, name]) => name),
    gone: [...before].filter(not(now)).map(([, name]) => name),
  }
}
