import { expect, it } from '@jest/globals'
import pino from 'pino'
import { DatabaseClock } from '../../src/platform/db/database-clock.js'
import type { Sql } from '../../src/platform/db/database.js'
import { until } from '../support/until.js'

/** A machine whose clock is set at will, and a database that is some way off. */
class Machine {
  elapsedMs = 1_000
  skewMs = 0
  databaseAtMs = 1_700_000_000_000
  wayThereMs = 1
  wayBackMs = 1
  isAway = false
  asked = 0
  readonly logged: string[] = []

  readonly sql: Sql = {
    query: async <Row>() => {
      this.asked += 1
      if (this.isAway) throw new Error('away')
      this.pass(this.wayThereMs)
      const ms = this.databaseAtMs
      this.pass(this.wayBackMs)
      return [{ ms }] as Row[]
    },
  }

  pass(ms: number): void {
    this.elapsedMs += ms
    this.databaseAtMs += ms
  }

  start(): Promise<DatabaseClock> {
    const log = pino({ level: 'info' }, { write: (line: string) => void this.logged.push(JSON.parse(line).msg) })
    return DatabaseClock.start({
      sql: this.sql,
      log,
      machine: () => this.databaseAtMs + this.skewMs,
      elapsed: () => this.elapsedMs,
      syncMs: 5,
    })
  }
}

/** Waits until the clock has asked ten times more. */
const rounds = async (machine: Machine): Promise<void> => {
  const before = machine.asked
  await until(() => machine.asked > before + 10)
}
const errorOf = (clock: DatabaseClock, machine: Machine) => Math.abs(clock.now().getTime() - machine.databaseAtMs)

it("is the database's time, regardless of the machine's clock, and prefers a precise measurement", async () => {
  const machine = new Machine()
  machine.skewMs = 20_000
  const clock = await machine.start()
  expect(errorOf(clock, machine)).toBeLessThanOrEqual(1)
  // A busy pool: the answer is read late, and says little.
  machine.wayBackMs = 800
  await rounds(machine)
  expect(errorOf(clock, machine)).toBeLessThanOrEqual(20)
  machine.isAway = true
  machine.pass(60_000)
  machine.skewMs = -5_000
  await rounds(machine)
  expect(errorOf(clock, machine)).toBeLessThanOrEqual(20)
  clock.stop()
})

it('follows a database on another machine, and logs a wrong machine clock once', async () => {
  const machine = new Machine()
  const clock = await machine.start()
  expect(machine.logged).toEqual([])
  machine.databaseAtMs += 3_000
  machine.skewMs = -3_000
  await rounds(machine)
  expect(errorOf(clock, machine)).toBeLessThanOrEqual(1)
  expect(clock.skewMs).toBeCloseTo(-3_000, -1)
  expect(machine.logged).toEqual([expect.stringContaining("differs from the database's")])
  machine.skewMs = 0
  await rounds(machine)
  expect(machine.logged).toHaveLength(2)
  clock.stop()
})
