import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { dueNowSql, Pulse, PULSE_MS, type DueSource } from '../../src/platform/jobs/pulse.js'
import { RunnerSessions } from '../../src/platform/jobs/runner-session.js'
import { sinceNews } from '../../src/platform/maintenance/since-news.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'

let made: TestDatabase
let database: Database
let sessions: RunnerSessions
const log = { debug: () => undefined, warn: () => undefined }
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 2, entities: [], log })
  sessions = new RunnerSessions(database)
})
afterAll(async () => {
  await sessions.close()
  await database.close()
  await made.drop()
})

const newPulse = (observeTime?: (databaseMs: number) => void): Pulse =>
  new Pulse({ sessions, clock: systemClock, log, ...(observeTime && { observeTime }) })

/** A source that notes when it was told, in milliseconds from then. */
function source(dueSql: DueSource['dueSql'], everyMs?: number): DueSource & { told: number[] } {
  const told: number[] = []
  return { dueSql, told, onDue: (inMs) => void told.push(inMs), ...(everyMs !== undefined && { everyMs }) }
}

describe('the pulse of a node', () => {
  it('tells each source what is due, and when; nobody else', async () => {
    const pulse = newPulse()
    const now = source(({ now: at }) => dueNowSql('true', at))
    const soon = source(({ until }) => until)
    const never = source(({ now: at }) => dueNowSql('false', at))
    for (const each of [now, soon, never]) pulse.add(each)
    await pulse.ask()
    expect(now.told).toEqual([0])
    expect(soon.told).toHaveLength(1)
    expect(soon.told[0]).toBeLessThanOrEqual(PULSE_MS)
    expect(never.told).toEqual([])
  })

  it('reads the values of a source each time', async () => {
    const pulse = newPulse()
    let wanted = false
    const asked = source(({ now, value }) => dueNowSql(`${value(() => wanted)}::boolean`, now))
    pulse.add(asked)
    await pulse.ask()
    wanted = true
    await pulse.ask()
    expect(asked.told).toEqual([0])
  })

  it('does not evaluate a source before its time, and asks for one that was added later', async () => {
    const pulse = newPulse()
    let isBroken = false
    // Fails the whole statement if it is evaluated.
    const rare = source(
      ({ now, value }) => dueNowSql(`1 / (case when ${value(() => isBroken)} then 0 else 1 end) = 2`, now),
      60_000,
    )
    pulse.add(rare)
    await pulse.ask()
    isBroken = true
    const added = source(({ now }) => dueNowSql('true', now))
    pulse.add(added)
    await pulse.ask()
    expect([rare.told, added.told]).toEqual([[], [0]])
  })

  it('has everybody look when nothing can be asked', async () => {
    const pulse = newPulse()
    const broken = source(({ now }) => dueNowSql('1 / 0 = 1', now))
    const other = source(({ now }) => dueNowSql('false', now))
    pulse.add(broken)
    pulse.add(other)
    await pulse.ask()
    expect([broken.told, other.told]).toEqual([[0], [0]])
  })

  it("measures the database's time along the way", async () => {
    const times: number[] = []
    const pulse = newPulse((databaseMs) => void times.push(databaseMs))
    pulse.add(source(({ now }) => dueNowSql('false', now)))
    await pulse.ask()
    const [row] = await database.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    expect(times).toHaveLength(1)
    expect(times[0]).toBeLessThanOrEqual(row!.ms)
  })
})

describe('rounds that follow up on writes', () => {
  it('are needed twice after news, then only every ten minutes', () => {
    let nowMs = 0
    let hear = (): void => undefined
    const isNeeded = sinceNews({ onPublish: (given) => void (hear = () => given([])) }, () => nowMs)
    expect([isNeeded(), isNeeded(), isNeeded()]).toEqual([true, true, false])
    hear()
    expect([isNeeded(), isNeeded(), isNeeded()]).toEqual([true, true, false])
    nowMs = 600_000
    expect([isNeeded(), isNeeded()]).toEqual([true, false])
  })
})
