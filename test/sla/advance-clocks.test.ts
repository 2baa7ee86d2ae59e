import 'reflect-metadata'
import { describe, expect, it } from '@jest/globals'
import { Random } from '../../bench/chaos/random.js'
import { CompiledSchedule } from '../../src/modules/schedules/compiled-schedule.js'
import { advanceClocks, beforeCase, BLOCKED, type ClockMilestone } from '../../src/modules/sla/advance-clocks.js'
import { CLOCK_KINDS, type ClockKind } from '../../src/modules/sla/clock-kind.js'
import { ClockTerms } from '../../src/modules/sla/clock-terms.js'
import type { SlaClock, SlaState } from '../../src/modules/sla/sla-clock.js'

const MINUTE = 60_000
const BEGIN = Date.parse('2026-03-23T00:00Z')
const TARGETS: Record<ClockKind, number> = { queue: 10, firstResponse: 30, nextResponse: 20, resolution: 90 }
const CHOICE = { policy: 'p', version: 1, schedule: 's', scheduleVersion: 1 }
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const hours = new CompiledSchedule({
  timezone: 'UTC',
  spans: [
    { days: [...DAYS], opens: '08:00', closes: '12:00' },
    { days: [...DAYS], opens: '13:00', closes: '17:00' },
  ],
  exceptions: [],
})
const targets = CLOCK_KINDS.map((clock) => ({
  clock,
  minutes: TARGETS[clock],
  seconds: TARGETS[clock] * 60,
  warnMinutes: 5,
  warnSeconds: 300,
  acts: [],
}))
const terms = new ClockTerms(CHOICE, targets, hours)
const always = new ClockTerms({ ...CHOICE, schedule: null, scheduleVersion: null }, targets, null)

const at = (minute: number): Date => new Date(BEGIN + minute * MINUTE)
const NINE = 9 * 60

/** Milestones from `kind minute`. */
function history(...lines: string[]): ClockMilestone[] {
  return lines.map((line, index) => {
    const [kind = '', minute, detail = null] = line.split(' ')
    const turn =
      kind === 'consumerTurn' ? 1 + lines.slice(0, index).filter((each) => each.startsWith(kind)).length : null
    return { nth: index + 1, kind, at: at(Number(minute)), turn, detail }
  })
}

function clocksOf(milestones: ClockMilestone[], now: number, by = terms): Record<string, [string, number | null]> {
  const { state } = advanceClocks(beforeCase(by), by, { milestones, now: at(now).getTime() })
  const minute = (time: number | null) => (time === null ? null : (time - BEGIN) / MINUTE)
  return Object.fromEntries(state.clocks.map(({ kind, state: each, dueAt }) => [kind, [each, minute(dueAt)]]))
}

describe('clocks', () => {
  it('of a queued consumer run until they are accepted and answered; the resolution pauses', () => {
    const queued = history(`queued ${NINE}`, `consumerTurn ${NINE}`)
    expect(clocksOf(queued, NINE + 5)).toEqual({
      resolution: ['running', NINE + 90],
      queue: ['running', NINE + 10],
      firstResponse: ['running', NINE + 30],
    })
    const answered = history(
      `queued ${NINE}`,
      `consumerTurn ${NINE}`,
      `accepted ${NINE + 10}`,
      `agentTurn ${NINE + 20}`,
    )
    expect(clocksOf(answered, NINE + 500)).toEqual({
      resolution: ['paused', null],
      queue: ['met', NINE + 10],
      firstResponse: ['met', NINE + 30],
    })
  })

  it('of later messages are next responses; the resolution goes on where it paused', () => {
    const later = [`queued ${NINE}`, `consumerTurn ${NINE}`, `accepted ${NINE + 1}`, `agentTurn ${NINE + 20}`]
    const asked = history(...later, `consumerTurn ${NINE + 60}`)
    expect(clocksOf(asked, NINE + 65)).toMatchObject({
      resolution: ['running', NINE + 130],
      nextResponse: ['running', NINE + 80],
      firstResponse: ['met', NINE + 30],
    })
    expect(clocksOf(asked, NINE + 81)).toMatchObject({ nextResponse: ['breached', NINE + 80] })
  })

  it('count no closed hours', () => {
    const night = history(`queued ${16 * 60 + 55}`, `consumerTurn ${16 * 60 + 55}`)
    expect(clocksOf(night, 17 * 60)).toMatchObject({
      queue: ['running', 24 * 60 + 8 * 60 + 5],
      firstResponse: ['running', 24 * 60 + 8 * 60 + 25],
    })
    expect(clocksOf(night, 17 * 60, always)).toMatchObject({ queue: ['running', 17 * 60 + 5] })
  })

  it('are met at the very due time, and missed a moment later', () => {
    const inTime = history(`queued ${NINE}`, `accepted ${NINE + 10}`)
    expect(clocksOf(inTime, NINE + 60).queue).toEqual(['met', NINE + 10])
    const late = history(`queued ${NINE}`, `accepted ${NINE + 10.001}`)
    expect(clocksOf(late, NINE + 60).queue).toEqual(['breached', NINE + 10])
  })

  it('are cancelled by a block, a merge and a deletion, and met by closing', () => {
    const open = [`queued ${NINE}`, `consumerTurn ${NINE}`]
    const states = (...lines: string[]) =>
      Object.fromEntries(
        Object.entries(clocksOf(history(...open, ...lines), NINE + 60)).map(([kind, [state]]) => [kind, state]),
      )
    const cancelled = { resolution: 'cancelled', queue: 'cancelled', firstResponse: 'cancelled' }
    expect(states(`abandoned ${NINE + 5}`, `closed ${NINE + 5} ${BLOCKED}`)).toEqual(cancelled)
    expect(states(`merged ${NINE + 5}`)).toEqual(cancelled)
    expect(states(`deleted ${NINE + 5}`)).toEqual(cancelled)
    expect(states(`accepted ${NINE + 4}`, `agentTurn ${NINE + 4}`, `closed ${NINE + 5}`)).toEqual({
      resolution: 'met',
      queue: 'met',
      firstResponse: 'met',
    })
  })

  it('of a case that an agent begins do not run until the consumer writes', () => {
    const outbound = history(`accepted ${NINE}`)
    expect(clocksOf(outbound, NINE + 500)).toEqual({ resolution: ['paused', null] })
    expect(clocksOf(history(`accepted ${NINE}`, `consumerTurn ${NINE + 30}`), NINE + 31)).toEqual({
      resolution: ['running', NINE + 120],
      firstResponse: ['running', NINE + 60],
    })
  })
})

/** Computes what the table says of one clock, minute by minute: slow, and nothing of it is the product's. */
function modelled(kind: ClockKind, milestones: readonly ClockMilestone[], now: number): Partial<SlaClock>[] {
  const found: Partial<SlaClock>[] = []
  const target = TARGETS[kind] * MINUTE
  let clock: (Partial<SlaClock> & { used: number; missed: number | null }) | null = null
  const events = [...milestones]
  let [isOpen, queued, waiting] = [false, false, false]
  const last = at(now).getTime()
  for (let time = BEGIN; time <= last; time += MINUTE) {
    while (events[0] && events[0].at.getTime() === time) {
      const { kind: what, nth, turn, detail } = events.shift()!
      const begin = (): void => {
        if (clock) return
        clock = { kind, nth, startedAt: time, used: 0, missed: null }
      }
      const end = (state: 'met' | 'cancelled'): void => {
        if (!clock) return
        const missed = clock.missed !== null && clock.missed < time
        found.push({
          kind,
          nth: clock.nth,
          startedAt: clock.startedAt,
          state: missed ? 'breached' : state,
          endedAt: time,
        })
        clock = null
      }
      if (['queued', 'accepted', 'consumerTurn'].includes(what) && !isOpen) {
        ;[isOpen, queued, waiting] = [true, false, false]
        if (kind === 'resolution') begin()
      }
      if (what === 'queued') queued = true
      if (what === 'queued' && kind === 'queue') begin()
      if (what === 'accepted') queued = false
      if (what === 'accepted' && kind === 'queue') end('met')
      if (what === 'consumerTurn') waiting = true
      if (what === 'consumerTurn' && kind === (turn === 1 ? 'firstResponse' : 'nextResponse')) begin()
      if (what === 'agentTurn') waiting = false
      if (what === 'agentTurn' && kind.endsWith('Response')) end('met')
      if (what === 'closed') end(detail === BLOCKED || kind.endsWith('Response') ? 'cancelled' : 'met')
      if (what === 'merged') end('cancelled')
      if (what === 'closed' || what === 'merged') isOpen = false
    }
    const current = clock as (Partial<SlaClock> & { used: number; missed: number | null }) | null
    if (!current) continue
    const runs = kind !== 'resolution' || queued || waiting
    // Answered at the very due time.
    if (!runs && current.missed === time) current.missed = null
    if (current.used >= target && current.missed === null && runs) current.missed = time
    if (runs && current.missed === null && isOpenMinute(time)) {
      current.used += MINUTE
      if (current.used >= target) current.missed = time + MINUTE
    }
  }
  const open = clock as (Partial<SlaClock> & { used: number; missed: number | null }) | null
  if (open) {
    const isMissed = open.missed !== null && open.missed < last
    const runs = kind !== 'resolution' || queued || waiting
    found.push({
      kind,
      nth: open.nth,
      startedAt: open.startedAt,
      state: isMissed ? 'breached' : runs ? 'running' : 'paused',
      endedAt: null,
    })
  }
  return found
}

function isOpenMinute(time: number): boolean {
  const hour = new Date(time).getUTCHours()
  return (hour >= 8 && hour < 12) || (hour >= 13 && hour < 17)
}

/** A history that conversations can have, by minutes. */
function randomHistory(random: Random): { milestones: ClockMilestone[]; now: number } {
  const milestones: ClockMilestone[] = []
  let minute = Math.floor(random.between(0, 600))
  let [status, waiting, turn] = ['closed', false, 0]
  const add = (kind: string, detail: string | null = null): void => {
    milestones.push({
      nth: milestones.length + 1,
      kind,
      at: at(minute),
      turn: kind === 'consumerTurn' ? turn : null,
      detail,
    })
  }
  const say = (): void => {
    if (waiting) return
    waiting = true
    turn++
    add('consumerTurn')
  }
  const close = (kind: string, detail: string | null = null): void => {
    add(kind, detail)
    ;[status, waiting, turn] = ['closed', false, 0]
  }
  for (let step = 0; step < 25; step++) {
    const choice = random.next()
    if (status === 'closed') {
      const isAgents = choice < 0.2
      add(isAgents ? 'accepted' : 'queued')
      status = isAgents ? 'active' : 'queued'
      if (!isAgents && choice < 0.9) say()
    } else if (choice < 0.3) say()
    else if (choice < 0.6) {
      if (status === 'queued') add('accepted')
      status = 'active'
      if (waiting) add('agentTurn')
      waiting = false
    } else if (choice < 0.7 && status === 'active') {
      add('queued')
      status = 'queued'
    } else if (choice < 0.8 && !waiting && status === 'active') close('closed')
    else if (choice < 0.83) close('closed', BLOCKED)
    else if (choice < 0.85) close('merged')
    minute += Math.floor(random.between(0, random.chance(0.1) ? 900 : 25))
  }
  return { milestones, now: minute }
}

it.each([1, 2, 3, 4])(
  'equal a model of the table over random histories, however they are applied (seed %i)',
  (seed) => {
    const random = new Random(seed)
    for (let round = 0; round < 150; round++) {
      const { milestones, now } = randomHistory(random)
      const end = at(now).getTime()
      const all = new Map<string, SlaClock>()
      const keep = (touched: readonly SlaClock[]): void =>
        touched.forEach((each) => all.set(`${each.kind} ${each.nth}`, each))
      let state: SlaState = beforeCase(terms)
      for (let done = 0; done < milestones.length;) {
        const part = milestones.slice(done, (done += 1 + Math.floor(random.next() * 3)))
        const applied = advanceClocks(state, terms, { milestones: part, now: part.at(-1)!.at.getTime() })
        // As it is read from the database.
        state = JSON.parse(JSON.stringify(applied.state)) as SlaState
        keep(applied.touched)
      }
      const applied = advanceClocks(state, terms, { milestones: [], now: end })
      keep(applied.touched)
      const whole = advanceClocks(beforeCase(terms), terms, { milestones, now: end })
      expect(whole.state).toEqual({ ...applied.state, armedAt: null })
      const shown = [...all.values()].map(({ kind, nth, startedAt, state: each, endedAt }) => ({
        kind,
        nth,
        startedAt,
        state: each,
        endedAt,
      }))
      const expected = CLOCK_KINDS.flatMap((kind) => modelled(kind, milestones, now))
      const sorted = (clocks: readonly Partial<SlaClock>[]) =>
        clocks.toSorted((one, other) => one.nth! - other.nth! || (one.kind! < other.kind! ? -1 : 1))
      expect({ round, clocks: sorted(shown) }).toEqual({ round, clocks: sorted(expected) })
    }
  },
)
