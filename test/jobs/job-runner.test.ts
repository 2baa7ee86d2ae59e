import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { Database } from '../../src/platform/db/database.js'
import { addJobs, finishJob, inboundShare, RetryLater, type Job, type NewJob } from '../../src/platform/jobs/job.js'
import { defineJob, type JobKind } from '../../src/platform/jobs/job-type.js'
import type { JsonObject } from '../../src/platform/json.js'
import { JobLeases } from '../../src/platform/jobs/job-leases.js'
import { RunnerSessions } from '../../src/platform/jobs/runner-session.js'
import { JobRunner } from '../../src/platform/jobs/job-runner.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { tellStatistics } from '../support/statistics.js'
import { FakeClock } from '../support/test-server.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
let made: TestDatabase
let database: Database
let clock: FakeClock
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 8, entities: [], log })
  await database.migrate()
  await database.query(
    'create table done (note text not null, by text not null, at timestamptz default clock_timestamp())',
  )
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

const runners: JobRunner[] = []
const sessions = new Map<JobRunner, RunnerSessions>()
beforeEach(async () => {
  clock = new FakeClock(10)
  await database.query('truncate job, job_partition, done')
})
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => stopRunner(runner, 0)))
})

function startRunner(kinds: Record<string, JobKind>, options: { late?: number[]; clock?: FakeClock } = {}): JobRunner {
  const its = new RunnerSessions(database)
  const runner = new JobRunner({
    sql: database.asyncCommit,
    sessions: its,
    clock: options.clock ?? clock,
    log,
    observeLateness: (ms) => options.late?.push(ms),
  })
  for (const [kind, definition] of Object.entries(kinds)) runner.register(defineJob<JsonObject>(kind, {}), definition)
  runner.start()
  runners.push(runner)
  sessions.set(runner, its)
  return runner
}

/** As a node does at its end. */
async function stopRunner(runner: JobRunner, graceMs: number): Promise<void> {
  await runner.stop(graceMs)
  await sessions.get(runner)!.close()
}

const add = (...jobs: (Omit<NewJob, 'payload' | 'kind'> & { note: string; kind?: string })[]) =>
  addJobs(
    database,
    jobs.map(({ note, kind = 'note', ...job }) => ({ ...job, kind, payload: { note } })),
    clock,
  )

/** Does its work and ends the job in one transaction: exactly once. */
const note = (by: string, before: (job: Job) => Promise<void> | void = () => undefined): JobKind => ({
  async handler(job) {
    await before(job)
    await database.sqlTransaction(async (sql) => {
      await sql.query('insert into done (note, by) values ($1, $2)', [job.payload.note, by])
      await finishJob(sql, job)
    })
  },
})

const done = async (): Promise<string[]> =>
  (await database.query<{ note: string }>('select note from done order by at')).map((row) => row.note)
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** Rows of the tables of jobs that this database's statements have read so far. */
async function rowsRead(): Promise<number> {
  await tellStatistics(database)
  const [row] = await database.query<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables
     where relname in ('job', 'job_partition')`,
  )
  return row!.rows
}
/** A job that is added now has run; it leaves no trace. */
async function markerDone(): Promise<void> {
  await add({ note: 'marker' })
  for (const runner of runners) runner.wake()
  await until(async () => (await database.query(`delete from done where note = 'marker' returning 1`)).length > 0)
}
const allDone = (count: number) => until(async () => (await done()).length >= count)

describe('jobs', () => {
  it('run when they are due, each once however many runners there are', async () => {
    const many = Array.from({ length: 300 }, (_each, index) => ({ note: String(index) }))
    await add(...many, { note: 'later', runAt: new Date(clock.now().getTime() + 60_000) })
    startRunner({ note: note('one') })
    startRunner({ note: note('other') })
    await allDone(300)
    // What is due is taken before what is added later.
    await markerDone()
    expect((await done()).toSorted((one, two) => Number(one) - Number(two))).toEqual(many.map((each) => each.note))
    clock.advance(60_000)
    for (const runner of runners) runner.wake()
    await allDone(301)
    expect(await database.query('select 1 from job')).toEqual([])
  })

  it('with the same key run one at a time and in order, even if some fail; others continue', async () => {
    const running = new Map<string, number>()
    const kinds = {
      async handler(job: Job) {
        const key = job.key ?? job.id
        running.set(key, (running.get(key) ?? 0) + 1)
        if (running.get(key)! > 1) throw new Error('two of one key at a time')
        await sleep(Math.random() * 5)
        running.set(key, running.get(key)! - 1)
        if (job.payload.note === 'a1' && job.attempts < 3) throw new Error('for the moment')
        await note('any').handler(job)
      },
    }
    const jobs = ['a', 'b', 'c'].flatMap((key) =>
      Array.from({ length: 10 }, (_each, index) => ({ note: `${key}${index}`, key })),
    )
    // What failed is not tried again before the test has looked.
    clock.standAt()
    await add(...jobs, { note: 'free' })
    startRunner({ note: kinds })
    startRunner({ note: kinds })
    await allDone(22)
    expect((await done()).filter((each) => each.startsWith('a'))).toEqual(['a0'])
    await until(async () => {
      clock.advance(500)
      return (await done()).length === 31
    })
    for (const key of ['a', 'b', 'c']) {
      expect((await done()).filter((each) => each.startsWith(key))).toEqual(
        jobs.filter((job) => job.key === key).map((job) => job.note),
      )
    }
  })

  it('are retried after 1, 2, 4 … seconds, plus or minus a quarter, and finally kept with the error', async () => {
    // None is made by itself before the test has looked.
    clock.standAt()
    await add({ note: 'never', key: 'k' }, { note: 'behind it', key: 'k' })
    let attempts = 0
    const kind: JobKind = {
      attemptsMax: 4,
      async handler(job) {
        if (job.payload.note === 'behind it') return note('any').handler(job)
        attempts += 1
        throw new Error(`no, ${attempts}`)
      },
    }
    const runner = startRunner({ note: kind })
    for (const seconds of [1, 2, 4]) {
      const tried = attempts
      await until(async () => attempts === tried + 1)
      await until(async () => (await database.query('select 1 from job where leased_by is not null')).length === 0)
      const [row] = await database.query<{ run_at: Date }>(`select run_at from job where payload ->> 'note' = 'never'`)
      const waitMs = row!.run_at.getTime() - clock.now().getTime()
      expect(waitMs).toBeGreaterThanOrEqual(seconds * 750)
      expect(waitMs).toBeLessThanOrEqual(seconds * 1_250)
      clock.advance(waitMs)
      runner.wake()
    }
    // What is given up holds back nothing of its key.
    await allDone(1)
    clock.advance(365 * 86_400_000)
    runner.wake()
    const attemptsSoFar = attempts
    await add({ note: 'behind it' })
    runner.wake()
    await allDone(2)
    expect([attemptsSoFar, attempts]).toEqual([4, 4])
    const given = await database.query(
      `select payload ->> 'note' as note, attempts, last_error, run_at = 'infinity' as is_over, leased_by from job`,
    )
    expect(given).toEqual([{ note: 'never', attempts: 4, last_error: 'Error: no, 4', is_over: true, leased_by: null }])
  })

  it('of a runner that hangs are run by another after its lease, and the hung one then has no effect', async () => {
    const stuck = Promise.withResolvers<void>()
    clock.standAt()
    await add({ note: 'once' })
    // It hangs: its own clock stands still, so it renews nothing past the others' time.
    const hungAt = new FakeClock()
    hungAt.standAt(clock.now())
    startRunner({ note: note('hung', () => stuck.promise) }, { clock: hungAt })
    await until(async () => (await database.query('select 1 from job where leased_by is not null')).length === 1)
    startRunner({ note: note('living'), alive: note('living') })
    // It takes what is due later, and leaves what the other one has leased.
    await add({ note: 'later', kind: 'alive' })
    await allDone(1)
    expect(await database.query(`delete from done returning note`)).toEqual([{ note: 'later' }])
    clock.advance(5_500)
    await allDone(1)
    stuck.resolve()
    await markerDone()
    expect(await database.query('select note, by from done')).toEqual([{ note: 'once', by: 'living' }])
    expect(await database.query('select 1 from job')).toEqual([])
  })

  it('of a dead runner are taken over immediately, long before its lease expires', async () => {
    const stuck = Promise.withResolvers<void>()
    await add({ note: 'once' })
    const dead = startRunner({ note: note('dead', () => stuck.promise) })
    await until(async () => (await database.query('select 1 from job where leased_by is not null')).length === 1)
    await sessions.get(dead)!.close()
    await dead.stop(0)
    startRunner({ note: note('living') })
    // The clock stands still: no lease expires.
    await allDone(1)
    stuck.resolve()
    await markerDone()
    expect(await database.query('select note, by from done')).toEqual([{ note: 'once', by: 'living' }])
  })

  it('are not run twice by one runner whose clock jumps past its leases', async () => {
    const slow = Promise.withResolvers<void>()
    let begun = 0
    await add({ note: 'slow' })
    const isSlow = ({ payload }: Job): boolean => payload.note === 'slow'
    startRunner({ note: note('one', (job) => (isSlow(job) ? ((begun += 1), slow.promise) : undefined)) })
    await until(async () => begun === 1)
    clock.advance(60_000)
    await markerDone()
    slow.resolve()
    await allDone(1)
    expect(begun).toBe(1)
  })

  it('that are late mark the runner as behind, until there are none', async () => {
    const slow = Promise.withResolvers<void>()
    await add(...Array.from({ length: 40 }, (_each, index) => ({ note: String(index) })))
    clock.advance(1_000)
    const runner = startRunner({ note: note('one', () => slow.promise) })
    await until(async () => runner.isBehind)
    slow.resolve()
    await allDone(40)
    await until(async () => !runner.isBehind)
    expect(await done()).toHaveLength(40)
  })

  it('under way are finished or handed back when the runner stops', async () => {
    const [quick, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await add({ note: 'quick' }, { note: 'slow' })
    const runner = startRunner({ note: note('one', (job) => (job.payload.note === 'slow' ? slow : quick).promise) })
    await until(async () => (await database.query('select 1 from job where leased_by is not null')).length === 2)
    const stopped = stopRunner(runner, 3_000)
    quick.resolve()
    await stopped
    expect(await done()).toEqual(['quick'])
    await add({ note: 'after' })
    runner.wake()
    startRunner({ note: note('other') })
    await allDone(3)
    slow.resolve()
    await markerDone()
    expect((await done()).toSorted()).toEqual(['after', 'quick', 'slow'])
  })

  it('of many keys, added while others end, all run, in order within each key', async () => {
    const keys = Array.from({ length: 30 }, (_each, index) => `k${index}`)
    const ran = new Map<string, number[]>()
    const kind: JobKind = {
      async handler(job) {
        await sleep(Math.random() * 3)
        const [key, nth] = (job.payload.note as string).split('/') as [string, string]
        ran.set(key, [...(ran.get(key) ?? []), Number(nth)])
        await finishJob(database, job)
      },
    }
    startRunner({ note: kind })
    startRunner({ note: kind })
    // One adder a key, as the conversation's lock has it; jobs come while the last one of the key ends.
    await Promise.all(
      keys.map(async (key) => {
        for (let nth = 0; nth < 25; nth += 1) {
          await add({ note: `${key}/${nth}`, key })
          for (const runner of runners) runner.wake()
          if (Math.random() < 0.5) await sleep(Math.random() * 10)
        }
      }),
    )
    await until(async () => (await database.query('select 1 from job')).length === 0)
    for (const key of keys) expect(ran.get(key)).toEqual(Array.from({ length: 25 }, (_each, nth) => nth))
    await until(async () => (await database.query('select 1 from job_partition')).length === 0)
  })

  it('that crash their process are given up when they are leased, after as many attempts as others', async () => {
    await add({ note: 'deadly', key: 'd' }, { note: 'behind it', key: 'd' })
    let begun = 0
    const given: string[] = []
    const kind: JobKind = {
      attemptsMax: 3,
      async handler(job) {
        if (job.payload.note === 'behind it') return note('any').handler(job)
        begun += 1
        await new Promise(() => undefined)
      },
      givenUp: async (job) => void given.push(job.payload.note as string),
    }
    for (let death = 1; death <= 3; death += 1) {
      const dying = startRunner({ note: kind })
      await until(async () => begun === death)
      await sessions.get(dying)!.close()
      await dying.stop(0)
    }
    startRunner({ note: kind })
    await allDone(1)
    expect({ begun, given }).toEqual({ begun: 3, given: ['deadly'] })
    const [row] = await database.query<{ last_error: string; is_over: boolean }>(
      "select last_error, run_at = 'infinity' as is_over from job",
    )
    expect(row).toEqual({ is_over: true, last_error: expect.stringContaining('without coming to an end') })
  })

  it('that wait for a slow provider have limited capacity, and delay no others', async () => {
    const stuck = Promise.withResolvers<void>()
    let [under, busiest] = [0, 0]
    const outbound: JobKind = {
      isOutbound: true,
      async handler(job) {
        if (job.payload.note === 'slow') {
          busiest = Math.max(busiest, (under += 1))
          await stuck.promise
        }
        await note('any').handler(job)
      },
    }
    const slow = Array.from({ length: 300 }, (_each, index) => ({
      note: 'slow',
      kind: 'outbound',
      key: `s${index}`,
      share: 'slow service',
    }))
    await add(...slow)
    const runner = startRunner({ outbound, note: note('own') })
    await until(async () => busiest === 16)
    await add({ note: 'rule' }, { note: 'quick', kind: 'outbound', key: 'q', share: 'quick service' })
    runner.wake()
    await allDone(2)
    expect((await done()).toSorted()).toEqual(['quick', 'rule'])
    // What is added later is taken meanwhile, again and again.
    for (let count = 3; count < 8; count++) {
      await add({ note: 'quick', kind: 'outbound', key: 'q', share: 'quick service' })
      runner.wake()
      await allDone(count)
    }
    expect(busiest).toBe(16)
    stuck.resolve()
    await allDone(307)
  })

  it('of what a provider tells have slots of their own, so that slow sends delay none of them', async () => {
    const stuck = Promise.withResolvers<void>()
    const running = { send: 0, told: 0 }
    const outbound: JobKind = {
      isOutbound: true,
      async handler(job) {
        running[job.payload.note as 'send' | 'told'] += 1
        await stuck.promise
      },
    }
    const jobs = (note: string, share: string) =>
      Array.from({ length: 100 }, (_each, index) => ({ note, kind: 'outbound', key: `${note}${index}`, share }))
    await add(...jobs('send', 'service'))
    const runner = startRunner({ outbound })
    await until(async () => running.send === 16)
    await add(...jobs('told', inboundShare('service')))
    runner.wake()
    await until(async () => running.told === 64)
    expect(running).toEqual({ send: 16, told: 64 })
    stuck.resolve()
    await until(async () => running.send + running.told === 200)
  })

  it('that wait behind others add no cost to polling', async () => {
    const runner = startRunner({ note: { handler: () => Promise.reject(new RetryLater('not yet', 3_600_000)) } })
    const keys = Array.from({ length: 20 }, (_each, index) => `k${index}`)
    await add(...keys.map((key) => ({ note: 'head', key })))
    const later = `select 1 from job where run_at > now() + interval '10 minutes'`
    await until(async () => (await database.query(later)).length === 20)
    await stopRunner(runner, 0)
    runners.splice(0)
    for (const key of keys) await add(...Array.from({ length: 1_000 }, () => ({ note: 'blocked', key })))
    await database.query('analyze job, job_partition')
    const its = new RunnerSessions(database)
    const leases = new JobLeases({ sql: database, clock, sessions: its, scope: 'own' }, () => ['note'])
    const readBefore = await rowsRead()
    for (let look = 0; look < 20; look += 1) expect(await leases.take(clock.now(), 64, [])).toEqual([])
    // A walk over all would be 400,000.
    expect((await rowsRead()) - readBefore).toBeLessThan(40_000)
    await its.close()
  })

  it('start when they are due, and not before: 500 within a second', async () => {
    const late: number[] = []
    const from = clock.now().getTime() + 300
    await add(
      ...Array.from({ length: 500 }, (_each, index) => ({ note: String(index), runAt: new Date(from + 2 * index) })),
    )
    startRunner({ note: note('one') }, { late })
    await allDone(500)
    const [p50, p95] = [0.5, 0.95].map(
      (share) => late.toSorted((one, other) => one - other)[Math.floor(share * late.length)]!,
    )
    process.stdout.write(`500 jobs due within a second: p50 ${p50} ms late, p95 ${p95} ms late\n`)
    // A figure to look at, not a timed test: only that none is early.
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  })
})
