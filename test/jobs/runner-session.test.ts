import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import pino from 'pino'
import { Database } from '../../src/platform/db/database.js'
import { addJobs, finishJob } from '../../src/platform/jobs/job.js'
import { defineJob } from '../../src/platform/jobs/job-type.js'
import { RELEASE_DEAD } from '../../src/platform/jobs/job-statements.js'
import { JobRunner } from '../../src/platform/jobs/job-runner.js'
import { RunnerSessions } from '../../src/platform/jobs/runner-session.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { FakeClock } from '../support/test-server.js'
import { until } from '../support/until.js'

/** The tests' own PostgreSQL listens on a socket in a directory. */
function addressOf({ hostname, port }: URL): { path: string } | { host: string; port: number } {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) }
}

/** A network to PostgreSQL in which connections can fall silent: nothing goes through, and nobody is told. */
class Network {
  readonly #server: Server
  readonly #pairs: { client: Socket; upstream: Socket }[] = []

  constructor(private readonly target: URL) {
    this.#server = createServer((client) => {
      const upstream = connect(addressOf(target))
      this.#pairs.push({ client, upstream })
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream]) socket.on('error', () => undefined)
      client.on('close', () => upstream.destroy())
    })
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    const url = new URL(this.target)
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return url.href
  }

  get count(): number {
    return this.#pairs.length
  }

  /** As a switch that forgets a connection does; PostgreSQL learns of it, the client does not. */
  silence(index: number): void {
    const { client, upstream } = this.#pairs[index]!
    client.unpipe(upstream)
    upstream.unpipe(client)
    client.removeAllListeners('close')
    upstream.destroy()
  }

  close(): void {
    for (const { client, upstream } of this.#pairs) {
      client.destroy()
      upstream.destroy()
    }
    this.#server.close()
  }
}

let made: TestDatabase
let network: Network
let database: Database
beforeAll(async () => {
  made = await makeDatabase()
  network = new Network(new URL(made.url))
  const log = pino({ level: 'silent' })
  database = await Database.open({ url: await network.open(), poolSize: 4, entities: [], log })
  await database.migrate()
})
afterAll(async () => {
  await database.close()
  network.close()
  await made.drop()
})

describe("a runner's connection that dies without a word", () => {
  it('is detected, and later jobs run once, under a valid lock', async () => {
    const sessions = new RunnerSessions(database)
    const first = await sessions.current()
    network.silence(network.count - 1)
    await until(() => !first.isAlive)
    const log = pino({ level: 'silent' })
    const clock = new FakeClock()
    const runner = new JobRunner({ sql: database.asyncCommit, sessions, clock, log })
    const runs: number[] = []
    const statements = jest.spyOn(database.asyncCommit, 'query')
    runner.register(defineJob('slow', {}), {
      async handler(job) {
        runs.push(job.leasedBy)
        // Until what the dead hold has been freed once more.
        const freed = (): number => statements.mock.calls.filter(([text]) => text === RELEASE_DEAD.at(-1)).length
        const before = freed()
        await until(() => freed() > before)
        await finishJob(database, job)
      },
    })
    await addJobs(database, [{ kind: 'slow', payload: {} }], clock)
    runner.start()
    await until(async () => (await database.query('select 1 from job')).length === 0)
    expect(runs).toEqual([(await sessions.current()).runner])
    expect(runs).not.toContain(first.runner)
    await runner.stop(0)
    await sessions.close()
  })
})
