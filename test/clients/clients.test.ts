import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { freePort } from '../../bench/chaos/free-port.js'
import { TcpProxy } from '../../bench/chaos/tcp-proxy.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { PATIENCE_MS } from '../support/until.js'
import { UNSENT_POSITION } from '@switchboard/client/apollo'
import { openApolloClient } from './apollo-client.js'
import type { Screen, TestClient } from './screens.js'
import { openUrqlClient } from './urql-client.js'

/** `npm run clients` makes 1,000. */
const CUTS = Number(process.env.CLIENT_CUTS ?? '40')
const SENDS_MIN = 3

/** Writes go to one server; the screens are at another, on the same database, through a proxy that cuts them off. */
let fixture: ConversationFixture
let server: TestServer
let proxy: TcpProxy
const complaints: string[] = []
const clients: TestClient[] = []
beforeAll(async () => {
  fixture = await startConversationFixture()
  const port = await freePort()
  server = await startTestServer({ PORT: String(port), DATABASE_URL: fixture.databaseUrl })
  proxy = await TcpProxy.open([port])
  for (const level of ['warn', 'error'] as const) {
    jest.spyOn(console, level).mockImplementation((...said) => void complaints.push(said.map(String).join(' ')))
  }
})
afterEach(() => void complaints.splice(0))
afterAll(async () => {
  jest.restoreAllMocks()
  await Promise.all(clients.map((client) => client.close()))
  await proxy.close()
  await server.close()
  await fixture.close()
})

/**
 * Notes what is wrong with a screen that is shown: a message twice, one that is missing, or one that was there before.
 */
class Watcher {
  readonly faults: string[] = []
  readonly #seen = new Set<string>()
  screens = 0
  unsent = 0

  look({ conversation }: Screen): void {
    this.screens += 1
    const messages = conversation.messages.nodes
    const ids = new Set(messages.map(({ id }) => id))
    if (ids.size < messages.length) this.faults.push(`twice: ${messages.map(({ text }) => text).join(', ')}`)
    const sent = messages.filter(({ position }) => position !== UNSENT_POSITION)
    this.unsent = Math.max(this.unsent, messages.length - sent.length)
    // An answer tells of a message of one's own before the events of those that were written before it: up to the last
    // of others nothing is missing but what stands at the end still, as unsent.
    const first = sent[0]?.position ?? 0
    const last = sent.findLast(({ text }) => text?.startsWith('question'))?.position ?? first
    const missing = last - first + 1 - sent.filter(({ position }) => position <= last).length
    if (missing > messages.length - sent.length) this.faults.push(`missing: ${missing} of ${first} to ${last}`)
    if (sent.some(({ position }, index) => position <= (sent[index - 1]?.position ?? 0))) this.faults.push('disordered')
    for (const id of this.#seen) if (!ids.has(id)) this.faults.push(`gone: ${id}`)
    for (const id of ids) this.#seen.add(id)
  }
}

describe.each([
  ['Apollo Client 4', openApolloClient],
  ['urql with graphcache', openUrqlClient],
] as const)('a screen of %s', (_name, open) => {
  it(
    `keeps queue, inbox and conversation correct through ${CUTS} cuts: no message duplicated or missing, no warning`,
    async () => {
      const { ann, ben, bot } = fixture
      const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      expect((await fixture.command(ann, conversation.id, '/accept')).code).toBeUndefined()
      const watcher = new Watcher()
      const client = open({
        url: proxy.url,
        token: await fixture.tokenFor(ann),
        conversation: conversation.id,
        onScreen: (screen) => watcher.look(screen),
      })
      clients.push(client)
      await until(async () => client.screen(), Boolean)
      const run = { isOver: false }
      const sends: Promise<void>[] = []
      const writing = (async () => {
        for (let turn = 0; !run.isOver; turn += 1) {
          sends.push(client.send(`answer ${turn}`))
          // A machine that is busy may refuse some of it: what is there at the end is read from the server.
          await ignoreFailure(async () => {
            await fixture.send(bot, conversation.id, { role: 'CONTACT', text: `question ${turn}` })
            if (turn % 5 === 0) await fixture.create({ messages: [{ role: 'CONTACT', text: 'me too' }] })
            if (turn % 5 !== 3) return
            const other = await fixture.create({ messages: [{ role: 'CONTACT', text: 'and me' }] })
            await fixture.command(ben, other.id, '/assign', { meta: { users: [ann.id] } })
          })
          await Promise.race([Promise.all(sends), pause(200)])
        }
      })()
      writing.catch(() => (run.isOver = true))
      // As many as it takes on a slow machine until something was sent meanwhile.
      for (let cut = 0; !run.isOver && (cut < CUTS || sends.length <= SENDS_MIN); cut += 1) {
        await pause(20 + Math.random() * 60)
        proxy.cut()
      }
      run.isOver = true
      await writing
      await Promise.all(sends)
      const { data } = await fixture.gql(ann, TRUTH, { id: conversation.id })
      await until(
        async () => client.screen()!,
        (screen) => isShown(screen, data as Truth),
      )
      expect(watcher.faults).toEqual([])
      expect(complaints).toEqual([])
      expect(client.resyncs).toEqual([])
      // What is sent is shown before the server has answered.
      expect(watcher.unsent).toBeGreaterThan(0)
    },
    2 * PATIENCE_MS + CUTS * 500,
  )
})

const TRUTH = `query ($id: ID!) {
  queue(first: 100) { nodes { id preview } }
  inbox(first: 100) { edges { node { id preview unreadCount } } }
  conversation(id: $id) { status messages(last: 100) { nodes { id text position } } }
}`

type Truth = Screen

function isShown(screen: Screen, truth: Truth): boolean {
  const entries = (of: Screen['queue'] | Screen['inbox']) =>
    ('nodes' in of ? of.nodes : of.edges.map(({ node }) => node))
      .map(({ id, preview }) => `${id} ${preview}`)
      .toSorted()
  const messages = ({ conversation }: Screen) =>
    conversation.messages.nodes.map(({ position, text }) => `${position} ${text}`)
  const [shown, real] = [messages(screen), messages(truth)]
  return (
    JSON.stringify(entries(screen.queue)) === JSON.stringify(entries(truth.queue)) &&
    JSON.stringify(entries(screen.inbox)) === JSON.stringify(entries(truth.inbox)) &&
    JSON.stringify(shown.slice(-real.length)) === JSON.stringify(real) &&
    screen.conversation.status === truth.conversation.status
  )
}

async function ignoreFailure(write: () => Promise<void>): Promise<void> {
  await write().catch(() => undefined)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
