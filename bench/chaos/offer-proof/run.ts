import pg from 'pg'
import { quantile, short } from '../../harness/figures.js'
import { answerOffers, openScreens, type Habits } from '../offers.js'
import { broken, type ChaosRun, type Judgement } from '../problems.js'
import { Random } from '../random.js'
import { sleep } from '../victim.js'
import { World } from '../world.js'
import {
  countOverlapping,
  countPassedOver,
  goingOnAfterExpiry,
  readEvidence,
  wrongExplanations,
  type Evidence,
} from './judge.js'
import { runNaiveMatchers } from './naive-matchers.js'
import { addWaiting, openOffice, PREPARE, type Office } from './office.js'
import { recount, type Recounted } from './recount.js'

export interface ProofOptions extends ChaosRun {
  offers: number
}

const AGENTS = 24
const HABITS: Habits = { pauseMs: 50, ignored: 0.02, declined: 0.3 }
/** So many always wait: whenever a place becomes free, there is an oldest one. */
const WAITING_MIN = 300
const WAVE = 500
/** From one `kill -9` to the next; the nodes take turns. */
const KILL_EVERY_MS = 8_000
const POLL_MS = 250
const MINUTES_MAX = 20
const SETTLE_MS_MAX = 30_000
/** A conversation whose offer expired is the oldest: it has the next place that becomes free. */
const GOES_ON_MS_MAX = 10_000

/**
 * Races offers on two nodes, each of which is killed again and again, and recounts everything by means that share nothing
 * with the product. @returns what was found, and what of it is not as promised
 */
export async function proveOffers({ offers, seed, print }: ProofOptions): Promise<Judgement> {
  const world = await World.open()
  const sql = new pg.Client({ connectionString: world.databaseUrl })
  const watching = new pg.Client({ connectionString: world.databaseUrl })
  await Promise.all([sql.connect(), watching.connect()])
  try {
    await sql.query(PREPARE)
    const office = await openOffice(world.proxy.url, AGENTS)
    print(`  ${AGENTS} agents are there`)
    let isOver = false
    let isWatched = true
    const recounted = recount(watching, office.agents, () => !isWatched)
    const closeScreens = openScreens(world.proxy.url, office.agents)
    const answering = office.agents.map((agent, index) =>
      answerOffers(agent, new Random(seed + index), HABITS, () => isOver),
    )
    const killing = killInTurns(world, new Random(seed), () => isOver)
    await raceOffers(sql, office, offers, print)
    isOver = true
    const kills = await killing
    await Promise.all(answering)
    await withdrawn(sql)
    isWatched = false
    const found = await recounted
    const [overlapping, evidence] = [await countOverlapping(sql), await readEvidence(sql, office.owner)]
    await closeScreens()
    await world.stopNodes()
    const control = await runNaiveMatchers(world.databaseUrl, office.channel, office.agents)
    return report({ office, kills, found, overlapping, evidence, control, wanted: offers })
  } finally {
    await Promise.all([sql.end(), watching.end()]).catch(() => undefined)
    await world.close()
  }
}

/** Keeps conversations waiting until so many offers were made. */
async function raceOffers(
  sql: pg.Client,
  { channel }: Office,
  wanted: number,
  print: ProofOptions['print'],
): Promise<void> {
  let printed = 0
  for (
    const startedAt = performance.now();
    performance.now() - startedAt < MINUTES_MAX * 60_000;
    await sleep(POLL_MS)
  ) {
    const { rows } = await sql.query<{ made: number; waiting: number }>(
      `select (select count(*)::int from offer) as made,
         (select count(*)::int from conversation where status = 'queued' and offer_id is null) as waiting`,
    )
    const { made, waiting } = rows[0]!
    if (made >= wanted) return
    if (waiting < WAITING_MIN) await addWaiting(sql, channel, WAVE)
    if (made >= printed + 1_000) print(`  ${(printed = Math.floor(made / 1_000) * 1_000)} offers`)
  }
}

/** Waits for the jobs that withdraw what is pending of agents who went offline. */
async function withdrawn(sql: pg.Client): Promise<void> {
  for (let waited = 0; waited < SETTLE_MS_MAX; waited += POLL_MS) {
    const { rows } = await sql.query('select from offer where outcome is null limit 1')
    if (rows.length === 0) return
    await sleep(POLL_MS)
  }
}

async function killInTurns(world: World, random: Random, isOver: () => boolean): Promise<number> {
  for (let turn = 0; ; turn++) {
    for (let waited = 0; waited < KILL_EVERY_MS; waited += POLL_MS) {
      if (isOver()) return turn
      await sleep(POLL_MS)
    }
    await world.injections['node killed'](random, turn)
  }
}

interface Findings {
  office: Office
  kills: number
  found: Recounted
  overlapping: number
  evidence: Evidence
  control: Recounted
  wanted: number
}

function report({ office, kills, found, overlapping, evidence, control, wanted }: Findings): Judgement {
  const { offers } = evidence
  const count = (outcome: string): number => offers.filter((offer) => offer.outcome === outcome).length
  const wrongEnds = offers.filter(({ outcome, ends }) => ends !== (outcome === null ? 0 : 1)).length
  const pending = offers.filter(({ outcome }) => outcome === null).length
  const passedOver = countPassedOver(evidence, office.agents)
  const turnedAround = countPassedOver(evidence, office.agents, -1).fitting
  const goesOn = goingOnAfterExpiry(evidence, GOES_ON_MS_MAX)
  const late = goesOn.filter((ms) => ms > GOES_ON_MS_MAX).length
  const unexplained = wrongExplanations(evidence, office.agents)
  const lines = [
    `${offers.length} offers on 2 nodes, ${kills} times kill -9 of one: ${count('accepted')} accepted, ${count('declined')} declined, ` +
      `${count('expired')} expired, ${count('withdrawn')} withdrawn`,
    `${found.samples} recounts: above a capacity ${found.above} (highest ${Math.round(found.highest * 100)} %), two offers of a conversation ${found.doubled}`,
    `not ended exactly once ${wrongEnds}, made while another was pending ${overlapping}, left pending ${pending}`,
    `an older conversation passed over that the agent had room for ${passedOver.fitting}, that the agent was to be kept for ${passedOver.keeping}`,
    `${goesOn.length} expired ones went on, each once: p50 ${short(quantile(goesOn, 0.5))} ms, p95 ${short(quantile(goesOn, 0.95))} ms, last ${short(Math.max(0, ...goesOn))} ms`,
    `explanations of ${AGENTS} members each that are wrong ${unexplained.length}`,
    `control, matchers without locks: ${control.above} of ${control.samples} recounts above a capacity, ${control.doubled} with two offers of ` +
      `a conversation; the queue turned around: passed over ${turnedAround}`,
  ]
  const problems = broken([
    [offers.length < wanted ? 1 : 0, 'run with fewer offers than wanted'],
    [found.above, `recounts above a capacity: ${found.firstAbove}`],
    [found.doubled, 'recounts with two offers of a conversation'],
    [wrongEnds, 'offers did not end exactly once'],
    [overlapping, 'offers were made while another was pending'],
    [pending, 'offers are pending though all agents are offline'],
    [passedOver.fitting, 'offers passed over an older conversation that the agent had room for'],
    [passedOver.keeping, 'offers went to an agent who was to be kept for an older conversation'],
    [late, `conversations were not offered anew within ${GOES_ON_MS_MAX / 1_000} s of an expiry`],
    [unexplained.length, `explanations are wrong: ${unexplained[0]}`],
    [kills < 2 || goesOn.length === 0 ? 1 : 0, 'run without kills or expired offers: it proves nothing'],
    [found.highest < 1 ? 1 : 0, 'run in which nobody was at capacity: it proves nothing'],
    [
      control.above === 0 || control.doubled === 0 || turnedAround === 0 ? 1 : 0,
      'control found nothing: this run proves nothing',
    ],
  ])
  return { lines, problems }
}
