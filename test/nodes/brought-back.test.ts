import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import WebSocket from 'ws'
import { differenceOf } from '../../bench/chaos/oracle.js'
import { CONVERSATION, INBOX, QUEUE } from '@switchboard/client/documents'
import { LiveClient, type LiveDocument, type LiveView } from '@switchboard/client'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { keepDatabase } from '../../bench/chaos/brought-back.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hook, type Hooks } from '../webhooks/hooks.js'

/** Two nodes whose database is put back to an older state while they serve: a restore, or a failover that lost commits. */
let one: ConversationFixture
let other: TestServer
let hooks: Hooks
let hook: Hook
beforeAll(async () => {
  one = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
  other = await startTestServer({ DATABASE_URL: one.databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
  hooks = createHooks(one)
  hook = await hooks.register(one.admin)
})
afterAll(async () => {
  await hooks.close()
  await other.close()
  await one.close()
})

const FIELDS = { chat: CONVERSATION, queue: QUEUE, inbox: INBOX } as const

interface Screen {
  name: string
  view: LiveView<unknown>
  document: LiveDocument<unknown>
  variables: Record<string, unknown>
  ended: string | null
  close(): Promise<void>
}

async function clientOf(url: string): Promise<LiveClient> {
  const token = await one.tokenFor(one.ann)
  return new LiveClient({
    serverUrl: url,
    token: () => token,
    webSocketImpl: WebSocket,
    pauseMs: { first: 50, longest: 200 },
  })
}

async function openScreen(url: string, field: keyof typeof FIELDS, id: string): Promise<Screen> {
  const client = await clientOf(url)
  const document = FIELDS[field] as LiveDocument<unknown>
  const variables = field === 'chat' ? { id } : {}
  const screen: Screen = {
    name: `${field} at ${url}`,
    document,
    variables,
    ended: null,
    view: client.open(document, { variables, onEnd: ({ message }) => void (screen.ended = message) }),
    close: () => client.close(),
  }
  await until(
    async () => screen.view.state,
    (state) => state !== null,
  )
  return screen
}

/** Reads what a screen that is opened now shows. */
async function stateNow({ document, variables }: Screen): Promise<unknown> {
  const client = await clientOf(one.url)
  try {
    return await new Promise(
      (resolve, reject) => void client.open(document, { variables, onChange: resolve, onEnd: reject }),
    )
  } finally {
    await client.close()
  }
}

/** The database answers again; the first requests may meet connections that were cut. */
async function settled(): Promise<void> {
  for (const node of [one, other]) {
    await until(
      async () => (await fetch(`${node.url}/readyz`)).status,
      (status) => status === 200,
    )
  }
}

const AFTER = `subscription ($id: ID!, $after: String) {
  conversation(id: $id, after: $after) { __typename ... on ConversationSnapshot { resync } } }`

/** Reads what a subscriber hears at first who presents this cursor. */
async function goOnAfter(id: string, after: string): Promise<{ __typename: string; resync?: boolean }> {
  const client = liveClient(other.url, await one.tokenFor(one.ann))
  try {
    return await subscribe<{ __typename: string }>(client, 'conversation', AFTER, { id, after }).next()
  } finally {
    await client.dispose()
  }
}

describe('a database that is restored to an older state', () => {
  it.each([
    ['nothing', 0],
    ['less than was lost', 2],
    ['as much as was lost', 4],
    ['more than was lost', 7],
  ])(
    'leaves no screen wrong in silence, and no webhook id with two meanings: %s is written after',
    async (_what, after) => {
      const { id } = await one.create()
      await one.command(one.ann, id, '/join')
      const say = async (text: string) =>
        expect((await one.send(one.bot, id, { role: 'CONTACT', text })).code).toBeUndefined()
      const screens = await Promise.all(
        [one, other].flatMap(({ url }) =>
          (['chat', 'queue', 'inbox'] as const).map((field) => openScreen(url, field, id)),
        ),
      )
      const chat = screens.find(({ variables, view }) => variables.id === id && view.cursor)!.view
      const cursors = new Map<string, string>()
      const mark = async (text: string): Promise<void> => {
        await say(text)
        await until(
          async () => JSON.stringify(chat.state),
          (state) => state.includes(text),
        )
        cursors.set(text, chat.cursor!)
      }
      try {
        await mark('kept 1')
        await mark('kept 2')
        const kept = await keepDatabase(one.databaseUrl)
        try {
          await settled()
          for (let nth = 1; nth <= 4; nth += 1) await mark(`lost ${nth}`)
          await one.create({ messages: [{ role: 'CONTACT', text: 'a conversation that will be lost' }] })
          await until(
            async () => hook.receiver.received.map(({ body }) => body).join(),
            (all) => all.includes('will be lost'),
          )
          await kept.bringBack()
          await settled()
          for (let nth = 1; nth <= after; nth += 1) await say(`new ${nth}`)
          if (after > 0) await one.create({ messages: [{ role: 'CONTACT', text: `another after ${after}` }] })

          for (const screen of screens) {
            let last: unknown
            const difference = async () => (last = differenceOf(screen.view.state, await stateNow(screen)))
            await until(difference, (found) => found === null).catch(() => undefined)
            expect([screen.name, screen.ended, last]).toEqual([screen.name, null, null])
          }
          expect(JSON.stringify(chat.state)).not.toContain('lost')
          for (const [text, cursor] of cursors) {
            // Nothing comes after what is the last.
            if (text === 'kept 2' && after === 0) continue
            const first = await goOnAfter(id, cursor)
            if (text.startsWith('lost')) expect([text, first]).toMatchObject([text, { resync: true }])
            // What was never lost is gone on from, without a snapshot.
            else expect([text, first.__typename]).not.toEqual([text, 'ConversationSnapshot'])
          }
        } finally {
          await kept.drop()
        }
        if (after > 0) {
          await until(
            async () => hook.receiver.received.map(({ body }) => body).join(),
            (all) => all.includes(`another after ${after}`),
          )
        }
        const named = new Map<string, Set<string>>()
        for (const { json } of hook.receiver.received) {
          named.set(
            json.id,
            (named.get(json.id) ?? new Set()).add(json.event + (json.data?.message?.id ?? json.data?.conversation?.id)),
          )
        }
        expect([...named.values()].filter(({ size }) => size > 1)).toEqual([])
      } finally {
        await Promise.all(screens.map((screen) => screen.close()))
      }
    },
  )
})
