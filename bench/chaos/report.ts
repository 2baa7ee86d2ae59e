import type { AcceptRace } from './accept-races.js'
import type { BroughtBack } from './older-database.js'
import type { OffersFound } from './offers.js'
import type { Verdict } from './oracle.js'
import { broken, type Judgement } from './problems.js'
import { WRITERS, type Written } from './writers.js'

export interface Result extends Verdict {
  name: string
  outOfStep: number
  /** Times that its agent became or ceased to be a member of a channel on screen. */
  queuesChanged: number
  ended: string | null
  /** First difference from what it should show. */
  difference: string | null
}

interface Findings {
  counts: ReadonlyMap<string, number>
  commitCuts: number
  written: Written[]
  races: AcceptRace[]
  wrongAnswers: number
  repeated: number
  lost: number
  doubled: number
  outOfTime: number
  offers: OffersFound
  settledMs: number
  control: { events: number; missed: number }
  results: Result[]
  older: BroughtBack
  /** Conversations that a quiet node made without the policy that the other one had learned of. */
  unaware: number
  members: { added: number; neverOnline: number }
}

/** @returns what was found, and what of it is not as promised */
export function report(findings: Findings): Judgement {
  const { counts, commitCuts, written, races, wrongAnswers, repeated, lost, doubled, outOfTime } = findings
  const { settledMs, control, results, older, offers, unaware, members } = findings
  const sum = (of: (result: Result) => number): number => results.reduce((total, each) => total + of(each), 0)
  const acknowledged = written.reduce((total, each) => total + each.acknowledged.length, 0)
  const refused = written.reduce((total, each) => total + each.refused.length, 0)
  const unsure = written.reduce((total, each) => total + each.unsure, 0)
  const lines = [
    `${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}; ${commitCuts} commits were cut off`,
    `${WRITERS} writers: ${acknowledged} writes acknowledged, ${refused} refused by rules, ${repeated} requests repeated, ` +
      `${unsure} without a key not answered`,
    `  acknowledged writes lost ${lost}, done twice ${doubled}, events out of time ${outOfTime}`,
    `${races.length} conversations raced for: wrong answers to winners ${wrongAnswers}`,
    `${offers.made} offers: ${offers.accepted} accepted, ${offers.declined} declined, ${offers.expired} expired, ${offers.withdrawn} withdrawn; ` +
      `not ended exactly once, or two pending together ${offers.wrong}`,
    `quiet nodes that did not know of a change ${unaware}; ${members.added} members added while watching, never online ${members.neverOnline}`,
    `${results.length} subscribers: ${sum(({ events }) => events)} events; all caught up ${Math.round(settledMs)} ms after the last write`,
    ...results.map(
      (each) =>
        `  ${each.name.padEnd(15)} ${String(each.events).padStart(6)} events, missed ${each.missed}, ` +
        `repeated ${each.repeated}, out of order ${each.disordered}, resyncs ${each.resyncs} of ${each.queuesChanged}, ` +
        (each.difference === null ? 'state right' : `state WRONG: ${each.difference}`),
    ),
    `an older database brought back ${older.times} times: ${older.lostEvents} events received and lost, ${older.corrected} snapshots ` +
      `corrected them, screens wrong in silence ${older.wrong.length}`,
    `lost ${lost}, done twice ${doubled}, missed ${sum(({ missed }) => missed)}, ` +
      `repeated ${sum((each) => each.repeated)}, out of order ${sum(({ disordered }) => disordered)}, ` +
      `wrong answers to winners ${wrongAnswers}`,
    `control, reading by id > last: missed ${control.missed} of ${control.events}`,
  ]
  const problems = broken([
    [lost, 'acknowledged writes are lost'],
    [doubled, 'writes had their effect twice'],
    [wrongAnswers, 'winners got the response of a loser, or losers that of a winner'],
    [races.length === 0 || commitCuts === 0 ? 1 : 0, 'run without races or cuts at commits: it proves nothing'],
    [offers.wrong, 'offers did not end exactly once, or were made while another was pending'],
    [
      offers.accepted === 0 || offers.expired === 0 ? 1 : 0,
      'run without accepted or expired offers: it proves nothing',
    ],
    [unaware, 'conversations of a quiet node were made without the policy'],
    [members.neverOnline, 'members who were added while watching were never online'],
    [outOfTime, 'events happened before those before them'],
    [older.wrong.length, `screens are wrong after the database was brought back: ${older.wrong.join(', ')}`],
    [older.times > 0 && older.lostEvents === 0 ? 1 : 0, 'older database has lost nothing: this run proves nothing'],
    [sum(({ missed }) => missed), 'events were missed'],
    [sum((each) => each.repeated), 'events were repeated'],
    [sum(({ disordered }) => disordered), 'events came out of order'],
    [
      sum(({ resyncs, queuesChanged }) => Math.max(0, resyncs - queuesChanged)),
      'times a snapshot came in the place of events',
    ],
    [sum(({ outOfStep }) => outOfStep), 'events did not fit the state'],
    [results.filter(({ difference }) => difference).length, 'subscribers show a wrong state'],
    ...results
      .filter(({ ended }) => ended !== null)
      .map(({ name, ended }) => [1, `subscriber has ended: ${name}, ${ended}`] as const),
    [control.missed === 0 ? 1 : 0, 'control has missed nothing: this run proves nothing'],
  ])
  return { lines, problems }
}
