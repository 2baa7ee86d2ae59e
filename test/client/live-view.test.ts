import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isDeepStrictEqual } from 'node:util'
import WebSocket from 'ws'
import { freePort } from '../../bench/chaos/free-port.js'
import { differenceOf } from '../../bench/chaos/oracle.js'
import { TcpProxy } from '../../bench/chaos/tcp-proxy.js'
import { LiveClient, OutOfStep, SignedOut, type Entries, type LiveDocument } from '@switchboard/client'
import {
  CONVERSATION,
  INBOX,
  QUEUE,
  type Chat,
  type ConversationEvent,
  type InboxRow,
} from '@switchboard/client/documents'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** Writes go to one server; the screens are at another, on the same database, through a proxy. */
let fixture: ConversationFixture
let port: number
let server: TestServer
let proxy: TcpProxy
const startServer = () => startTestServer({ PORT: String(port), DATABASE_URL: fixture.databaseUrl })
const clients: LiveClient[] = []
beforeAll(async () => {
  fixture = await startConversationFixture()
  port = await freePort()
  server = await startServer()
  proxy = await TcpProxy.open([port])
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await proxy.close()
  await server.close()
  // The database is its.
  await fixture.close()
})

function connect(token: (isRefused: boolean) => Promise<string> | string): LiveClient {
  const client = new LiveClient({
    serverUrl: proxy.url,
    token,
    webSocketImpl: WebSocket,
    pauseMs: { first: 20, longest: 500 },
  })
  clients.push(client)
  return client
}

const shown = (state: Chat | null) => state?.messages.map(({ text }) => text)

describe('a view of the live client', () => {
  it('stays correct while sockets are cut, its server is drained with 1012, and another starts: no duplicates, no gaps', async () => {
    const { ann, ben, bot } = fixture
    const token = await fixture.tokenFor(ann)
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const live = connect(() => token)
    const documents = { queue: QUEUE, inbox: INBOX, chat: CONVERSATION } as Record<string, LiveDocument<unknown>>
    const variables = { id: conversation.id }
    const views = Object.values(documents).map((document) => live.open(document, { variables }))
    await until(
      async () => views.map(({ state }) => state),
      (states) => states.every(Boolean),
    )
    const run = { isOver: false }
    const writing = (async () => {
      for (let turn = 0; turn < 60; turn += 1) {
        await fixture.send(bot, conversation.id, { role: 'CONTACT', text: `question ${turn}` })
        if (turn % 6 === 0) await fixture.command(ben, conversation.id, '/assign', { meta: { users: [ann.id] } })
        if (turn % 6 === 2) await fixture.create({ messages: [{ role: 'CONTACT', text: 'me too' }] })
        if (turn % 6 === 4) await fixture.command(ben, conversation.id, turn % 12 === 4 ? '/accept' : '/leave')
      }
      run.isOver = true
    })()
    await server.close()
    // It comes back in vain.
    const before = live.closes.length
    await until(() => live.closes.length > before)
    server = await startServer()
    while (!run.isOver) {
      await new Promise((resolve) => setTimeout(resolve, 150))
      proxy.cut()
    }
    await writing
    const fresh = connect(() => token)
    for (const [index, view] of views.entries()) {
      const other = fresh.open(Object.values(documents)[index]!, { variables })
      await until(async () => other.state, Boolean)
      await until(
        async () => view.state,
        (state) => differenceOf(state, other.state) === null,
      )
      other.close()
      // The first snapshot was the only one: everything since came as events.
      expect(view.counts).toEqual({ snapshots: 1, repeated: 0, outOfStep: 0 })
    }
    expect((views[0]!.state as Entries<InboxRow>).size).toBeGreaterThan(5)
    expect(live.closes).toContain(1012)
    expect(live.closes.length).toBeGreaterThan(1)
  })

  it('gets a new token when the current one expires (4403) and resumes from its cursor; without one it ends', async () => {
    const agent = await fixture.makeAgent()
    const { id } = await fixture.create()
    let asked = 0
    let isSignedOut = false
    let current = await fixture.tokenFor(agent)
    const live = connect(async (isRefused) => {
      if (isSignedOut) throw new SignedOut('the session is over')
      if (isRefused) current = await fixture.tokenFor(agent)
      asked += Number(isRefused)
      return current
    })
    const ended: string[] = []
    const view = live.open(CONVERSATION, { variables: { id }, onEnd: ({ message }) => ended.push(message) })
    await until(async () => view.state, Boolean)
    const endSession = () => fixture.server.database.query('delete from token_family where user_id = $1', [agent.id])
    await endSession()
    await until(
      async () => asked,
      (times) => times > 0,
    )
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'still there?' })
    await until(
      async () => shown(view.state),
      (texts) => isDeepStrictEqual(texts, ['still there?']),
    )
    expect(view.counts).toEqual({ snapshots: 1, repeated: 0, outOfStep: 0 })
    isSignedOut = true
    await endSession()
    await until(
      async () => ended,
      (reasons) => reasons.length > 0,
    )
    expect(ended).toEqual(['the session is over'])
    expect(live.closes.filter((code) => code === 4403)).toHaveLength(2)
  })

  it('ends with an error when it is refused', async () => {
    const { id } = await fixture.create()
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization({ name: 'Elsewhere' }) })
    const token = await fixture.tokenFor(outsider)
    const live = connect(() => token)
    const reason = await new Promise<string>((resolve) => {
      live.open(CONVERSATION, { variables: { id }, onEnd: ({ message }) => resolve(message) })
    })
    expect(reason).toContain('not found')
  })

  it('fetches the state again when an event does not match it', async () => {
    const { id } = await fixture.create()
    const token = await fixture.tokenFor(fixture.ann)
    let isLosing = true
    // As if the first message had never come.
    const forgetful: LiveDocument<Chat, ConversationEvent> = {
      query: CONVERSATION.query,
      apply(state, event) {
        const isLost = isLosing && event.__typename === 'MessageAdded'
        if (isLost) isLosing = false
        return isLost ? state! : CONVERSATION.apply(state, event)
      },
    }
    const view = connect(() => token).open(forgetful, { variables: { id } })
    await until(async () => view.state, Boolean)
    for (const text of ['one', 'two', 'three']) await fixture.send(fixture.bot, id, { role: 'CONTACT', text })
    await until(
      async () => shown(view.state),
      (texts) => isDeepStrictEqual(texts, ['one', 'two', 'three']),
    )
    expect(view.counts).toEqual({ snapshots: 2, repeated: 0, outOfStep: 1 })
    const added = (position: number): ConversationEvent => {
      return {
        __typename: 'MessageAdded',
        cursor: 'c',
        at: '',
        isStored: true,
        mark: null,
        message: { ...view.state!.messages.at(-1)!, position },
      }
    }
    expect(() => CONVERSATION.apply(view.state, added(view.state!.lastPosition))).toThrow(OutOfStep)
    expect(() => CONVERSATION.apply(view.state, added(view.state!.lastPosition + 2))).toThrow(OutOfStep)
  })

  it('handles expired events: an old cursor brings one snapshot, and the state is correct', async () => {
    const { id } = await fixture.create()
    const token = await fixture.tokenFor(fixture.ann)
    const view = connect(() => token).open(CONVERSATION, { variables: { id } })
    await until(async () => view.state, Boolean)
    await server.close()
    for (const text of ['one', 'two']) await fixture.send(fixture.bot, id, { role: 'CONTACT', text })
    await fixture.server.database.query('delete from event where stream = $1', [`conversation:${id}`])
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'three' })
    server = await startServer()
    await until(
      async () => shown(view.state),
      (texts) => isDeepStrictEqual(texts, ['one', 'two', 'three']),
    )
    expect(view.counts).toEqual({ snapshots: 2, repeated: 0, outOfStep: 0 })
  })
})
