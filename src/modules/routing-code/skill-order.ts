import type { WriteTx } from '../../platform/events/transact.js'
import type { MatchedRecord, Matches } from './match-records.js'
import { nameKey, type Problems } from './read-document.js'
import type { RenderedRecord } from './render-records.js'

/** The changes of skills in an order in which each name is free when a skill takes it: two of an organization never have one name. */
export interface SkillOrder {
  /** Removed before the others change: their names are taken, and no workflow asks for them. */
  first: RenderedRecord[]
  /** Renamed in this order. */
  renamed: MatchedRecord[]
  /** Renamed after the removals: the names are those of skills for which workflows ask until these change. */
  late: MatchedRecord[]
}

/** Puts the changes of skills in order. Skills that take each other's names are refused: see {@link refuseCircles}. */
export async function orderSkills(
  tx: WriteTx,
  { matched, removed }: Matches,
  changing: ReadonlySet<MatchedRecord>,
): Promise<SkillOrder> {
  const taken = new Set(matched.filter(isSkill).map(({ desired }) => keyOf(desired.name)))
  const blocking = removed.filter(({ section, title }) => section === 'skills' && taken.has(keyOf(title)))
  const asked = blocking.length > 0 ? await readAsked(tx, blocking) : new Set<string>()
  const first = blocking.filter(({ id }) => !asked.has(id))
  const gone = new Set(blocking.filter(({ id }) => asked.has(id)).map(({ title }) => keyOf(title)))
  const order: SkillOrder = { first, renamed: [], late: [] }
  const holders = holdersOf(matched)
  const late = new Set<MatchedRecord>()
  const seen = new Set<MatchedRecord>()
  for (const start of changing) {
    if (!isSkill(start) || !start.stored) continue
    // Whoever has the name gives it up before it is taken.
    const chain: MatchedRecord[] = []
    for (let next: MatchedRecord | undefined = start; next && !seen.has(next); next = holders.get(targetOf(next))) {
      seen.add(next)
      chain.push(next)
    }
    for (const match of chain.toReversed()) {
      const holder = holders.get(targetOf(match))
      if (gone.has(targetOf(match)) || (holder !== undefined && holder !== match && late.has(holder))) late.add(match)
      ;(late.has(match) ? order.late : order.renamed).push(match)
    }
  }
  return order
}

/** Notes skills that take each other's names in a circle: whichever is renamed first, its name is taken still. */
export function refuseCircles({ matched }: Matches, problems: Problems): void {
  const holders = holdersOf(matched)
  const seen = new Set<MatchedRecord>()
  for (const start of holders.values()) {
    const chain = new Set<MatchedRecord>()
    let next: MatchedRecord | undefined = start
    for (; next && !seen.has(next); next = holders.get(targetOf(next))) {
      seen.add(next)
      chain.add(next)
    }
    if (next && chain.has(next)) {
      const { at } = next.desired
      problems.add(
        `${at}.name`,
        `${at} takes the name of a skill that takes its name, or that of another which does: give one of them a name that none has, and apply that first`,
      )
    }
  }
}

/** Returns the skills that get another name, by the one that they have. */
function holdersOf(matched: readonly MatchedRecord[]): Map<string | null, MatchedRecord> {
  const renamed = matched.filter(
    (match) => isSkill(match) && match.stored && keyOf(match.stored.title) !== targetOf(match),
  )
  return new Map(renamed.map((match) => [keyOf(match.stored!.title), match]))
}

const isSkill = ({ desired }: MatchedRecord): boolean => desired.section === 'skills'
const keyOf = (name: string | null): string | null => nameKey('skills', name)
const targetOf = ({ desired }: MatchedRecord): string | null => keyOf(desired.name)

/** Returns which of the skills workflows ask for, also those of organizations above and below. */
async function readAsked(tx: WriteTx, skills: readonly RenderedRecord[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select distinct asked.skill #>> '{}' as id
     from workflow w, jsonb_path_query(w.rules, '$[*].event.params.skills[*]') as asked (skill)
     where w.org1 = (select org1 from skill where id = $2) and asked.skill #>> '{}' = any($1::text[])`,
    [skills.map(({ id }) => id), skills[0]!.id],
  )
  return new Set(rows.map(({ id }) => id))
}
