import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Client } from 'graphql-ws'
import { departuresAmong } from '../../src/modules/conversations/state/reach.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { rule, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface Heard {
  __typename: string
  cursor: string
  entries?: { conversation: string }[]
  entry?: { conversation: string }
}

const INBOX = `subscription ($after: String) { inbox(after: $after) { __typename ... on StreamEvent { cursor }
  ... on InboxSnapshot { entries { conversation } } ... on InboxEntryAdded { entry { conversation } }
  ... on InboxEntryChanged { entry { conversation } } ... on RuleNotification { entry { conversation } } } }`
const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
const FETCH = 'query ($id: ID!) { conversation(id: $id) { id } }'

let fixture: ConversationFixture
let center: MadeOrganization
let customers: MadeOrganization[]
let owner: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  center = fixture.organization
  customers = await Promise.all(['X', 'Y'].map((name) => fixture.makeOrganization({ parent: center, name })))
  owner = await fixture.makeUser({ organization: center, role: 'owner' })
})
afterAll(() => fixture.close())

const update = (id: string, patch: object) => fixture.run(owner, UPDATE, { id, patch })
const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const departed = (): Promise<unknown> =>
  until(
    () => sql(`select 1 from job where kind = 'user.departed'`),
    (jobs) => jobs.length === 0,
  )

/** A user with its inbox open, on one socket after another: each begins where the last one ended. */
class Listener {
  #client: Client | null = null
  #live: LiveSubscription<Heard> | null = null
  #seen = 0
  #cursor: string | null = null

  constructor(readonly user: MadeUser) {}

  async open(): Promise<void> {
    await this.#client?.dispose()
    this.#client = liveClient(fixture.url, await fixture.tokenFor(this.user))
    this.#live = subscribe<Heard>(this.#client, 'inbox', INBOX, { after: this.#cursor })
    this.#seen = 0
    // One that goes on from a cursor hears nothing at once.
    if (!this.#cursor) await this.#live.next()
  }

  /** The conversations told of since the last call. */
  take(): string[] {
    const events = this.#live!.events.slice(this.#seen)
    this.#seen = this.#live!.events.length
    this.#cursor = events.at(-1)?.cursor ?? this.#cursor
    return events
      .flatMap(({ entry, entries }) => [...(entry ? [entry] : []), ...(entries ?? [])])
      .map((each) => each.conversation)
  }

  async close(): Promise<void> {
    await this.#client?.dispose()
  }
}

const PEOPLE = 3
const CONVERSATIONS = 4
const person = fc.nat(PEOPLE - 1)
const conversation = fc.nat(CONVERSATIONS - 1)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), who: person, to: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), who: person, to: fc.constant(0) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'follow' as const,
        'assign' as const,
        'mention' as const,
        'accept' as const,
        'leave' as const,
      ),
      who: person,
      to: conversation,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('consumer' as const), who: person, to: conversation }) },
)

describe('users who are notified of a conversation', () => {
  it('may fetch it, after any sequence of moves, follows, assignments, mentions and rules', async () => {
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, () => fixture.makeUser({ organization: customers[0]! })),
    )
    const workflow = await fixture.makeWorkflow([rule({ name: 'all of them', users: people.map(({ id }) => id) })])
    const conversations: string[] = []
    for (let nth = 0; nth < CONVERSATIONS; nth++) {
      const { id } = await fixture.create({
        organization: customers[nth % 2]!.id,
        messages: [{ role: 'CONTACT', text: 'hello' }],
      })
      conversations.push(id)
    }
    const listeners = people.map((user) => new Listener(user))
    for (const listener of listeners) await listener.open()
    const places = [center, ...customers]
    const placeOf = async (user: MadeUser) =>
      (await sql<{ place: string }>('select organization_id as place from app_user where id = $1', [user.id]))[0]!.place
    const canFetch = async ({ user }: Listener, id: string) =>
      (await fixture.run(await fixture.tokenFor(user), FETCH, { id })).code === undefined

    const perform = async ({ kind, who, to }: { kind: string; who: number; to: number }): Promise<void> => {
      const user = people[who]!
      const id = conversations[to]!
      switch (kind) {
        case 'move':
          return void (await update(user.id, { organization: places[to]!.id }))
        case 'archive':
          await update(user.id, { status: 'ARCHIVED' })
          return void (await update(user.id, { status: 'ACTIVE' }))
        case 'follow':
        case 'accept':
        case 'leave':
          return void (await fixture.command(await fixture.tokenFor(user), id, `/${kind}`))
        case 'assign':
          return void (await fixture.command(fixture.admin, id, '/assign', { meta: { users: [user.id] } }))
        case 'mention':
          return void (await fixture.send(fixture.admin, id, {
            type: 'MENTION',
            text: 'look',
            meta: { targetUser: user.id },
          }))
        case 'consumer':
          return void (await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'anybody there?' }))
      }
    }

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 12 }),
        async (history) => {
          for (const together of history) {
            const earlier = await Promise.all(people.map(placeOf))
            await Promise.all(together.map(perform))
            await departed()
            await new Promise((resolve) => setTimeout(resolve, 40))
            const places = await Promise.all(people.map(placeOf))
            for (const [nth, listener] of listeners.entries()) {
              const heard = listener.take()
              const hasMoved = together.some(({ kind, who }) => who === nth && (kind === 'move' || kind === 'archive'))
              if (hasMoved) await listener.open()
              // One who was moved meanwhile may have heard something before that.
              for (const id of new Set(hasMoved && places[nth] !== earlier[nth] ? listener.take() : heard)) {
                expect({ id, isFetched: await canFetch(listener, id) }).toEqual({ id, isFetched: true })
              }
            }
            expect(await sql(OUT_OF_REACH)).toEqual([])
            expect(await sql(FOREIGN_MEMBERS)).toEqual([])
          }
        },
      ),
      { numRuns: 6, endOnFailure: true },
    )
    for (const listener of listeners) await listener.close()
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  const OUT_OF_REACH = `select p.user_id, c.id from participant p join conversation c on c.id = p.conversation_id
    where (p.inbox or p.follow or p.accepted or p.active) and not exists (select 1 from app_user u
      where u.id = p.user_id and u.status <> 'archived' and u.organization_id in (c.org1, c.org2, c.org3))`
  const FOREIGN_MEMBERS = `select m.user_id from channel_member m join channel c on c.id = m.channel_id
    join app_user u on u.id = m.user_id
    where coalesce(u.org3, u.org2, u.org1) not in (c.org1, coalesce(c.org2, c.org1), coalesce(c.org3, c.org1))
      or u.status = 'archived'`

  // [3.2 /follow and a consumer message]
  it('exclude users who have moved: their follows, assignments and mentions have no effect', async () => {
    const [x, y] = customers as [MadeOrganization, MadeOrganization]
    const mover = await fixture.makeUser({ organization: x })
    await fixture.makeChannel('X only', [mover], x)
    const { id } = await fixture.create({ organization: x.id, messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(await fixture.tokenFor(mover), id, '/follow')
    const workflow = await fixture.makeWorkflow([rule({ name: 'direct', users: [mover.id] })])
    await update(mover.id, { organization: y.id })
    const listener = new Listener(mover)
    await listener.open()
    await departed()
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'secrets of X' })
    await fixture.command(fixture.admin, id, '/notify')
    const here = await fixture.create({ organization: y.id, messages: [{ role: 'CONTACT', text: 'hello Y' }] })
    await until(
      async () => listener.take(),
      (heard) => heard.includes(here.id) && !heard.includes(id),
    )
    expect(await fixture.show(id)).toMatchObject({ participants: [] })
    expect((await fixture.show(id)).routingTrace[0]!.entries.flatMap(({ users }) => users)).toEqual([])
    expect(await sql('select 1 from channel_member where user_id = $1', [mover.id])).toEqual([])
    await listener.close()
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  })

  it('are checked again by the inbox: an entry of another organization is not shown', async () => {
    const [x, y] = customers as [MadeOrganization, MadeOrganization]
    const mover = await fixture.makeUser({ organization: x })
    const { id } = await fixture.create({ organization: x.id, messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(fixture.admin, id, '/assign', { meta: { users: [mover.id] } })
    // As on another node, in the moment before the departure's job.
    await sql('update app_user set organization_id = $2, org2 = $2 where id = $1', [mover.id, y.id])
    const listener = new Listener(mover)
    await listener.open()
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'secrets of X' })
    const here = await fixture.create({ organization: y.id })
    await fixture.command(fixture.admin, here.id, '/assign', { meta: { users: [mover.id] } })
    const heard: string[] = []
    await until(
      async () => heard.push(...listener.take()),
      () => heard.includes(here.id),
    )
    expect(heard).toEqual([here.id])
    await listener.close()
  })

  it('departs again if it was given a participation concurrently', async () => {
    const [x, y] = customers as [MadeOrganization, MadeOrganization]
    const [moved, moving, staying] = await Promise.all(
      [y, x, x].map((organization) => fixture.makeUser({ organization })),
    )
    const { database } = fixture.server
    const given = [moved, moving, staying].map((user) => ({
      user: user!.id,
      path: [...x.path] as string[],
      isBot: false,
    }))
    let end = (): void => undefined
    const isHeld = new Promise<void>((held) => {
      void database.sqlTransaction(async (tx) => {
        await tx.query('select 1 from app_user where id = $1 for update', [moving!.id])
        held()
        await new Promise<void>((resolve) => (end = resolve))
      })
    })
    await isHeld
    const jobs = await database.sqlTransaction((tx) => departuresAmong(tx, given))
    end()
    expect(jobs.map(({ payload }) => payload.user).toSorted()).toEqual([moved!.id, moving!.id].toSorted())
  })

  it('checks bots for a pause that their operation did not see yet', async () => {
    const { organization } = fixture
    const [paused, going] = await Promise.all([1, 2].map(() => fixture.makeUser({ organization, role: 'bot' })))
    const pause = 'mutation ($id: ID!) { pauseBot(id: $id) { id } }'
    expect(await fixture.run(fixture.admin, pause, { id: paused!.id })).not.toHaveProperty('code')
    const given = [paused, going].map((bot) => ({
      user: bot!.id,
      path: [...organization.path] as string[],
      isBot: true,
    }))
    const jobs = await fixture.server.database.sqlTransaction((tx) => departuresAmong(tx, given))
    expect(jobs.map(({ kind, payload }) => [kind, payload.user])).toEqual([['bot.paused', paused!.id]])
  })
})
