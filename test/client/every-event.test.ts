import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { resumable, Switchboard } from '@switchboard/client'
import { buildSchema, GraphQLInterfaceType, GraphQLObjectType, isObjectType } from 'graphql'
import type { Client, Sink } from 'graphql-ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

/** All types of live events, of every subscription. */
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const TYPES = Object.values(schema.getTypeMap())
  .filter((type): type is GraphQLObjectType => isObjectType(type))
  .filter((type) => type.getInterfaces().some((each: GraphQLInterfaceType) => each.name === 'StreamEvent'))
  .map(({ name }) => name)
  .toSorted()

interface Sent {
  __typename: string
  cursor: string
  at: string
  isStored: boolean
}

/** Each type three times with one cursor: what is of the moment, or in parts, comes with that of what was last. */
const sentAs = (isStored: boolean): Sent[] =>
  TYPES.flatMap((type) =>
    [1, 2, 3].map((nth) => ({ __typename: type, cursor: isStored ? `after ${type}` : 'last', at: `${nth}`, isStored })),
  )

/** A server that sends what it is told to, over graphql-transport-ws. */
function serverOf(events: readonly Sent[]): { webSocketImpl: unknown } {
  class Socket {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readonly OPEN = 1
    readyState = 1
    onopen?: () => void
    onmessage?: (message: { data: string }) => void
    onclose?: (event: { code: number; reason: string }) => void
    constructor() {
      setImmediate(() => this.onopen?.())
    }
    send(text: string): void {
      const { type, id } = JSON.parse(text) as { type: string; id?: string }
      const answer = (message: object): void => this.onmessage?.({ data: JSON.stringify(message) })
      if (type === 'connection_init') setImmediate(() => answer({ type: 'connection_ack' }))
      if (type !== 'subscribe') return
      setImmediate(() => {
        for (const event of events) answer({ id, type: 'next', payload: { data: { live: event } } })
      })
    }
    close(): void {
      this.onclose?.({ code: 1000, reason: '' })
    }
  }
  return { webSocketImpl: Socket }
}

const END: Sent = { __typename: 'End', cursor: 'end', at: '1', isStored: true }

async function throughView(events: readonly Sent[]): Promise<string[]> {
  const switchboard = new Switchboard({ serverUrl: 'http://server', token: 'token', ...serverOf([...events, END]) })
  const received: string[] = []
  switchboard.live.open<true, Sent>(
    {
      query: 'subscription ($after: String) { live(after: $after) { __typename cursor at isStored } }',
      apply: () => true,
    },
    { onChange: (_state, { __typename, at }) => void received.push(`${__typename} ${at}`) },
  )
  await until(
    () => Promise.resolve(received),
    (all) => all.at(-1)?.startsWith('End ') === true,
  )
  await switchboard.close()
  return received.slice(0, -1)
}

function throughResumable(events: readonly Sent[]): string[] {
  let sink: Sink | undefined
  const client = { subscribe: (_payload: unknown, given: Sink) => ((sink = given), () => undefined) }
  const received: string[] = []
  const live = resumable({ ...client, iterate: () => undefined } as unknown as Client)
  live.subscribe<{ live: Sent }, never>(
    { query: 'subscription ($after: String) { live(after: $after) { ... on StreamEvent { cursor isStored } } }' },
    {
      next: ({ data }: { data?: { live: Sent } | null }) =>
        void received.push(`${data!.live.__typename} ${data!.live.at}`),
      error: () => undefined,
      complete: () => undefined,
    },
  )
  for (const event of events) sink!.next({ data: { live: event } })
  return received
}

describe('the package', () => {
  it('hands on every event that is not stored, whatever its type', async () => {
    expect(TYPES.length).toBeGreaterThan(30)
    const events = sentAs(false)
    const all = events.map(({ __typename, at }) => `${__typename} ${at}`)
    expect(await throughView(events)).toEqual(all)
    expect(throughResumable(events)).toEqual(all)
  })

  it('hands on a stored event once, whatever its type', async () => {
    const events = sentAs(true)
    const once = TYPES.map((type) => `${type} 1`)
    expect(await throughView(events)).toEqual(once)
    expect(throughResumable(events)).toEqual(once)
  })
})

describe('the server', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  it('marks what is not stored: a guest hears its place in line, typing and messages through the package', async () => {
    const { run, admin, ann, channel } = fixture
    await run(
      admin,
      'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }',
      {
        id: channel,
        patch: { assignment: { tellPlace: true } },
      },
    )
    await fixture.makeWorkflow([
      { conditions: { all: [] }, event: { type: 'notify', params: { channels: [channel] } } },
    ])
    const web = await run<{ id: string }>(
      admin,
      'mutation { createService(input: { type: "web", params: {} }) { id } }',
      {},
    )
    const guest = await run<{ tokens: { token: string }; conversationId: string }>(
      null,
      'mutation ($id: ID!) { startGuestSession(service: $id) { tokens { token } conversationId } }',
      { id: web.value.id },
    )
    const { conversationId: id, tokens } = guest.value
    const switchboard = new Switchboard({ serverUrl: fixture.url, token: tokens.token })
    const received: Sent[] = []
    switchboard.live.open<true, Sent>(
      {
        query: `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after, place: true) {
          __typename ... on StreamEvent { cursor at isStored } ... on QueuePlaceChanged { place { position } } } }`,
        apply: () => true,
      },
      { variables: { id }, onChange: (_state, event) => void received.push(event as Sent) },
    )
    const marksOf = async (type: string, count: number): Promise<boolean[]> => {
      const found = await until(
        () => Promise.resolve([...received]),
        (events) => events.filter(({ __typename }) => __typename === type).length >= count,
      )
      return found.filter(({ __typename }) => __typename === type).map(({ isStored }) => isStored)
    }
    expect(await marksOf('ConversationSnapshot', 1)).toEqual([false])
    await fixture.send(tokens.token, id, { text: 'hello' })
    expect(await marksOf('MessageAdded', 1)).toEqual([true])
    await run(ann, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }', { id })
    await run(ann, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: false) }', { id })
    expect(await marksOf('TypingChanged', 2)).toEqual([false, false])
    expect((await marksOf('QueuePlaceChanged', 1)).every((mark) => !mark)).toBe(true)
    await switchboard.close()
  }, 60_000)
})
