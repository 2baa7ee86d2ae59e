import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { freePort } from '../../../bench/chaos/free-port.js'
import { Victim } from '../../../bench/chaos/victim.js'
import { makeDatabase } from '../../support/database.js'
import { OWNER, runAt, signInAt } from '../../support/main-process.js'
import { until } from '../../support/until.js'
import type { ProviderFixture } from '../provider-fixture.js'
import { CERTIFIED } from './certified-providers.js'

/** The things waited for at which the process is killed, counted from where it begins with a send or an event. */
const KILLS = Number(process.env.KILLS ?? 1)
const STEPS = Array.from({ length: KILLS }, (_, at) => 1 + Math.floor(((at + 0.5) * 24) / KILLS))
/** Statements with which a send begins, and the receipt of a message. */
const BEGINS = { send: "set status = 'sending'", receive: String.raw`from inbound_message\s+where service_id` } as const
/** Those that the server installs. */
const INSTALLED = Object.entries(CERTIFIED).filter(([type]) => type !== 'parrot')

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const SEND = `mutation ($id: ID!, $text: String!) {
  sendMessage(conversation: $id, message: { role: AGENT, text: $text }) { id } }`
const DELIVERIES = `select m.text, d.status from delivery d join message m on m.id = d.message_id order by m.id`

interface Delivered {
  text: string
  status: string
}

describe('a server that is killed at what it waits for', () => {
  it.each(INSTALLED)(
    '%s: sends nothing twice, stores each message once, and leaves no outcome open',
    async (type, begin) => {
      const provider = await begin()
      const made = await makeDatabase()
      const database = new pg.Client({ connectionString: made.url })
      await database.connect()
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const victim = (module: string, env: Record<string, string> = {}): Victim =>
        new Victim(`test/support/${module}.mjs`, { ...envOf(made.url, port), ...env }, `${url}/readyz`)
      const whole = victim('node-process')
      const rows = async <Row extends object>(text: string): Promise<Row[]> => (await database.query<Row>(text)).rows
      /** Ends when the process is gone, or when it has done its work before it came so far. */
      const killedAt = async (
        step: number,
        after: string,
        work: () => Promise<unknown>,
        isDone: () => Promise<boolean>,
      ) => {
        await whole.kill()
        const dying = victim('killed-process', { KILL_AT: String(step), KILL_AFTER: after })
        await dying.start()
        await work().catch(() => undefined)
        await until(
          async () =>
            (await isDone()) ||
            !(await fetch(`${url}/healthz`).then(
              () => true,
              () => false,
            )),
        )
        await dying.kill()
        await whole.start()
      }
      try {
        await whole.start()
        const token = await signInAt(url)
        const makeService: ProviderFixture['makeService'] = async (kind, params) => {
          const { createService } = await runAt(url, CREATE, { input: { type: kind, params } }, token)
          return createService.id
        }
        const service = await provider.makeService({ makeService } as ProviderFixture)
        const hook = { url: `${url}/inbound/${type}/${service}`, publicUrl: `${url}/inbound/${type}/${service}` }
        const person = provider.person(1)
        const tell = (at: number): Promise<number> => {
          const said = { person, id: `${type}-killed-${at}`, text: `said ${at}`, at: Date.now() }
          return provider.tell(hook, said, 'none')
        }
        await tell(0)
        const [conversation] = await until(async () => {
          const found = await rows<{ id: string }>("select conversation_id as id from message where text = 'said 0'")
          return found.length > 0 && found
        })
        for (const step of STEPS) {
          const text = `answer ${step}`
          const settled = async (): Promise<boolean> => {
            const found = (await rows<Delivered>(DELIVERIES)).filter((each) => each.text === text)
            return found.some(({ status }) => !['queued', 'sending'].includes(status))
          }
          await killedAt(
            step,
            BEGINS.send,
            async () => runAt(url, SEND, { id: conversation!.id, text }, await signInAt(url)),
            settled,
          )
          await until(settled)
          const isStored = async (): Promise<boolean> =>
            (await rows(`select 1 from message where text = 'said ${step}'`)).length > 0
          await killedAt(step, BEGINS.receive, () => tell(step), isStored)
          // A provider repeats what was not answered.
          await tell(step)
          await until(isStored)
        }
        const taken = provider.taken().map(({ text }) => text)
        expect(taken).toEqual([...new Set(taken)])
        for (const { text, status } of await rows<Delivered>(DELIVERIES)) {
          expect([text, taken.includes(text) ? ['sent', 'maybeSent', 'delivered'] : ['maybeSent']]).toEqual([
            text,
            expect.arrayContaining([status]),
          ])
        }
        const said = (await rows<{ text: string }>("select text from message where role = 'contact'")).map(
          ({ text }) => text,
        )
        expect(said.toSorted()).toEqual(['said 0', ...STEPS.map((step) => `said ${step}`)].toSorted())
      } finally {
        await whole.kill()
        await database.end()
        await made.drop()
        await provider.close()
      }
    },
    // Each kill is followed by two starts.
    KILLS * 240_000,
  )
})

const envOf = (databaseUrl: string, port: number): Record<string, string> => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  LOG_LEVEL: 'fatal',
  DATABASE_URL: databaseUrl,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SERVICE_CHECK_MINUTES: '0',
  RATE_LIMIT_PER_SECOND: '100000',
  ADMIN_EMAIL: OWNER.email,
  ADMIN_PASSWORD: OWNER.password,
})
