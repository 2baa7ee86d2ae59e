import { describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Database, Sql } from '../../src/platform/db/database.js'
import type { SqlTransactionOptions } from '../../src/platform/db/sql-transaction.js'
import { Maintenance, type MaintenanceTask } from '../../src/platform/maintenance/maintenance.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })

/** A database that is away: whoever asks waits until it is let go, and is refused then. */
class Away {
  asked = 0
  readonly options: SqlTransactionOptions[] = []
  #waiting: (() => void)[] = []

  readonly database = {
    sqlTransaction: async (_work: (sql: Sql) => Promise<void>, options: SqlTransactionOptions): Promise<void> => {
      this.asked += 1
      this.options.push(options)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
      throw new Error('the database is not available')
    },
  } as unknown as Database

  letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

const task = (name: string): MaintenanceTask => ({ name, run: () => Promise.resolve() })

describe('maintenance while the database is away', () => {
  it('runs no round beside one that still waits, and goes on afterwards', async () => {
    const away = new Away()
    const rounds = new Maintenance({ ...away, clock: systemClock, log, tasks: [task('one')], everyMs: 5 })
    void rounds.start()
    // Others, which began later, go on meanwhile.
    let begun = 0
    const sqlTransaction = async (): Promise<void> => void (begun += 1)
    const others = new Maintenance({
      ...{ database: { sqlTransaction } as unknown as Database, clock: systemClock, log },
      ...{ tasks: [task('one')], everyMs: 5 },
    })
    void others.start()
    await until(() => begun > 20)
    await others.stop()
    expect(away.asked).toBe(1)
    away.letGo()
    await until(() => away.asked === 2)
    const stopped = rounds.stop()
    away.letGo()
    await stopped
  })

  it('stops after what it has begun: neither the next task nor the next round begins', async () => {
    const away = new Away()
    const rounds = new Maintenance({ ...away, clock: systemClock, log, tasks: [task('one'), task('two')], everyMs: 5 })
    void rounds.start()
    void rounds.run()
    await until(() => away.asked === 1)
    const stopped = rounds.stop()
    away.letGo()
    await stopped
    expect(away.asked).toBe(1)
  })

  it('is patient with statements of hourly tasks only', async () => {
    const away = new Away()
    const common = { ...away, clock: systemClock, log, tasks: [task('one')] }
    const all = [
      new Maintenance(common),
      new Maintenance({ ...common, everyMs: 2_000 }),
      new Maintenance({ ...common, everyMs: 2_000, isPatient: true }),
    ]
    for (const rounds of all) void rounds.run()
    await until(() => away.asked === all.length)
    away.letGo()
    await Promise.all(all.map((rounds) => rounds.stop()))
    expect(away.options.map(({ isPatient }) => isPatient)).toEqual([true, false, true])
  })
})

describe('advisory locks', () => {
  it('have a number each: two uses of one would stop each other', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const locks = files.flatMap((name) => readFileSync(join('src', name), 'utf8').match(/\b7_301_960_\d+/g) ?? [])
    expect(locks.length).toBeGreaterThan(6)
    expect(locks.filter((lock, index) => locks.indexOf(lock) !== index)).toEqual([])
  })
})
