import type { Callers } from './ask.js'
import { isDone, type Case } from './cases.js'
import type { Kind, Place, Records, World } from './world.js'
import { markOf } from './world.js'

/** Finding of a case that is not as it should be. */
export interface Finding {
  kind: 'leak' | 'wrong answer'
  case: string
  what: string
}

export interface Scene {
  world: World
  callers: Callers
}

const AT_ONCE = 12

export async function runCases(cases: readonly Case[], scene: Scene): Promise<Finding[]> {
  const findings: Finding[] = []
  const queue = cases.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const each of queue) findings.push(...(await runCase(each, scene)))
    }),
  )
  return findings
}

async function runCase(each: Case, { world, callers }: Scene): Promise<Finding[]> {
  const { caller, sample, expected, place } = each
  const records = await recordsFor(each, world)
  const request = each.request(records, world)
  const { outcome, status, text } = await callers.ask(caller, request)
  const name = `${caller}: ${each.target}${sample.how ? ` (${sample.how})` : ''}, ${each.slot} of ${place}`
  const found = (kind: Finding['kind'], what: string): Finding => ({ kind, case: name, what })
  const findings: Finding[] = []
  const isRight = expected.length > 0 ? expected.includes(outcome) : status < 500
  if (!isRight) {
    // What the table denies and was done all the same is worse than another word for a refusal.
    const kind = outcome === 'ok' ? 'leak' : 'wrong answer'
    findings.push(
      found(kind, `expected ${expected.join(' or ') || 'no failure'}, got ${outcome}: ${text.slice(0, 300)}`),
    )
  }
  const shown = leakIn(text, JSON.stringify(request), each.hidden, records)
  if (shown) findings.push(found('leak', `the answer shows ${shown}: ${text.slice(0, 300)}`))
  if (each.shows && outcome === 'ok' && !text.includes(records[place][each.shows])) {
    findings.push(found('wrong answer', `the answer does not show ${records[place][each.shows]}`))
  }
  return findings
}

/** Copies, where something of them is to be changed. A consumer's token is for the conversation itself. */
async function recordsFor(each: Case, { records, copy }: World): Promise<Readonly<Record<Place, Records>>> {
  if (!isDone(each) || each.caller === 'consumer') return records
  const own = await copy('own')
  if (each.place === 'own') return { ...records, own }
  return { ...records, own, ...(each.isKept && { [each.place]: await copy(each.place) }) }
}

function leakIn(
  text: string,
  request: string,
  hidden: readonly Place[],
  records: Readonly<Record<Place, Records>>,
): string | null {
  for (const place of hidden) {
    if (text.includes(markOf(place))) return `text of ${place}`
    for (const [kind, id] of Object.entries(records[place]) as [Kind, string][]) {
      // The ids of the organizations above are in every `path` (2.4). What was asked for by its id is named in a refusal.
      const isKnown = (place === 'parent' && kind === 'organization') || request.includes(id)
      if (!isKnown && text.includes(id)) return `the ${kind} of ${place}`
    }
  }
  return null
}
