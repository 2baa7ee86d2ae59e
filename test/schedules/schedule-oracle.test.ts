import 'reflect-metadata'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Client } from 'pg'
import { compareWithSql } from '../../bench/checks/schedule-oracle.js'
import { CompiledSchedule, type ScheduleHours } from '../../src/modules/schedules/compiled-schedule.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'

let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await makeDatabase()
  client = new Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

// 100,000 of them: `npm run bench -- --only schedules`.
it('counts the minutes that SQL counts, and is due when they have passed, in all zones', async () => {
  const { differences, minutes, skipped, zones } = await compareWithSql(client, { cases: 2_000, seed: 17 })
  expect(differences.slice(0, 3)).toEqual([])
  expect(skipped).toBeLessThan(20)
  expect(zones).toBeGreaterThan(380)
  expect(minutes).toBeGreaterThan(200_000)
})

const at = (time: string): number => Date.parse(time)
const minutes = (compiled: CompiledSchedule, from: string, to: string): number =>
  compiled.openMs(at(from), at(to)) / 60_000
const night: ScheduleHours = {
  timezone: 'Europe/Amsterdam',
  spans: [{ days: ['Sun'], opens: '01:30', closes: '03:30' }],
  exceptions: [],
}

it('counts nothing of an hour that the clock skips, and an hour that it repeats twice', () => {
  const compiled = new CompiledSchedule(night)
  expect(minutes(compiled, '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toBe(60)
  expect(minutes(compiled, '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toBe(180)
  expect(minutes(compiled, '2026-11-07T12:00Z', '2026-11-08T12:00Z')).toBe(120)
})

it('says when it opens and closes next, also if it never closes', () => {
  const compiled = new CompiledSchedule(night)
  expect(compiled.isOpenAt(at('2026-11-08T00:29:59.999Z'))).toBe(false)
  expect(compiled.nextChangeAfter(at('2026-11-07T12:00Z'))).toBe(at('2026-11-08T00:30Z'))
  expect(compiled.isOpenAt(at('2026-11-08T00:30Z'))).toBe(true)
  expect(compiled.nextChangeAfter(at('2026-11-08T00:30Z'))).toBe(at('2026-11-08T02:30Z'))
  expect(compiled.isOpenAt(at('2026-11-08T02:30Z'))).toBe(false)
  const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
  const always = new CompiledSchedule({
    timezone: 'America/Havana',
    spans: [{ days: [...week], opens: '00:00', closes: '24:00' }],
    exceptions: [{ firstDay: '2027-01-06', lastDay: '2027-01-06', name: null, spans: [] }],
  })
  expect(always.nextChangeAfter(at('2026-11-08T00:00Z'))).toBe(at('2027-01-06T05:00Z'))
  expect(always.nextChangeAfter(at('2027-02-08T00:00Z'))).toBeNull()
})

it('is never due without open hours', () => {
  const compiled = new CompiledSchedule({ timezone: 'UTC', spans: [], exceptions: [] })
  expect(compiled.dueAfter(at('2026-11-08T00:00Z'), 60_000)).toBeNull()
})
