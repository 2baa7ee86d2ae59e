import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hook, type Hooks } from './hooks.js'

let app: TestServer
let hooks: Hooks
let admin: MadeUser
let ann: MadeUser
let ben: MadeUser
let hook: Hook

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
  const center = await hooks.center()
  ;({ admin } = center)
  ann = await app.makeUser({ organization: center.organization, displayName: 'Ann' })
  ben = await app.makeUser({ organization: center.organization, displayName: 'Ben' })
  hook = await hooks.register(admin, { events: ['conversation.update'] })
})
afterAll(async () => {
  await hooks.close()
  await app.close()
})

interface Update {
  conversation: { status: string; name: string; participants: object[]; meta: object }
  previous: { participants?: object[]; [field: string]: unknown }
}

/** A conversation that waits for an agent; Ann has accepted it if `isAccepted`. */
async function converse(isAccepted = false): Promise<string> {
  const id = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'Hello' }] })
  if (isAccepted) await command(ann, id, '/accept')
  if (isAccepted) await next(id)
  return id
}

async function command(as: MadeUser, id: string, text: string, more: object = {}): Promise<void> {
  const { status } = await app.rest(as, 'POST', `/v2/conversations/${id}/messages`, { type: 'command', text, ...more })
  expect(status).toBe(201)
}

const isFollowing = (participants: object[], user: string): boolean =>
  (participants as { user: string; follow: boolean }[]).some((each) => each.user === user && each.follow)

/** Every update until one shows what is waited for. */
async function everyUpdate(id: string, isLast: (shown: Update['conversation']) => boolean): Promise<Update[]> {
  const told: Update[] = []
  do told.push(await next(id))
  while (!isLast(told.at(-1)!.conversation))
  return told
}

const next = async (id: string): Promise<Update> =>
  (await hook.receiver.next(({ json }) => json.data.conversation.id === id)).json.data as Update

describe('conversation.update', () => {
  // [6 rule 4] [4.8 /assign, /follow, /join, /leave]
  it.each([
    ['/assign', () => ({ meta: { users: [ben.id] } }), () => ({ user: ben.id, inbox: true, accepted: false })],
    ['/follow', () => ({}), () => ({ user: ann.id, follow: true, active: false })],
    ['/join', () => ({}), () => ({ user: ann.id, active: true, accepted: false })],
  ])('tells of %s, with the former participants', async (text, more, part) => {
    const id = await converse()
    await command(ann, id, text, more())
    expect(await next(id)).toMatchObject({
      conversation: { participants: [part()] },
      previous: { participants: [] },
    })
  })

  it('tells of a participant who leaves a conversation that goes on', async () => {
    const id = await converse(true)
    await command(ben, id, '/join')
    expect((await next(id)).previous.participants).toHaveLength(1)
    await command(ben, id, '/leave')
    const { conversation, previous } = await next(id)
    expect(conversation).toMatchObject({ status: 'active', participants: [{ user: ann.id }] })
    expect(previous).toEqual({
      participants: [expect.objectContaining({ user: ann.id }), expect.objectContaining({ user: ben.id })],
    })
  })

  it('tells of a hand-over to a colleague', async () => {
    const id = await converse(true)
    const { errors } = await app.gql(
      ann,
      'mutation ($id: ID!, $user: ID!) { handOverConversation(conversation: $id, user: $user) { id } }',
      { id, user: ben.id },
    )
    expect(errors).toBeUndefined()
    expect(await next(id)).toMatchObject({
      conversation: { participants: [{ user: ben.id, accepted: true, inbox: true }] },
      previous: { participants: [{ user: ann.id, accepted: true }] },
    })
  })

  it('says what changed of the conversation, once with its participants', async () => {
    const id = await converse()
    const { body } = await app.rest(admin, 'GET', `/v2/conversations/${id}`)
    await command(ann, id, '/accept')
    const accepted = await next(id)
    expect(accepted.previous).toMatchObject({ status: 'queued', participants: [] })
    expect(Object.keys(accepted.previous)).not.toContain('name')
    await command(ann, id, '/set @name Renamed')
    expect((await next(id)).previous).toEqual({ name: body.name })
    await command(ann, id, '/set @language nl')
    expect((await next(id)).previous).toEqual({ language: null })
    await command(ann, id, '/set order 7')
    expect((await next(id)).previous).toEqual({ meta: expect.objectContaining({ _agent: 'Ann' }) })
  })

  it('says until when a conversation is snoozed, and when it was closed', async () => {
    const id = await converse(true)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const snooze = 'mutation ($id: ID!, $until: DateTime!) { snooze(conversation: $id, until: $until) { id } }'
    expect((await app.gql(ann, snooze, { id, until })).errors).toBeUndefined()
    const snoozed = await next(id)
    expect([snoozed.conversation, snoozed.previous]).toMatchObject([
      { snoozedUntil: until, closedAt: null },
      { snoozedUntil: null },
    ])
    const { errors } = await app.gql(
      ann,
      'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }',
      {
        id,
      },
    )
    expect(errors).toBeUndefined()
    const closed = await next(id)
    expect(closed).toMatchObject({
      conversation: { snoozedUntil: null, closedAt: expect.stringMatching(/Z$/), status: 'closed' },
      previous: { snoozedUntil: until, closedAt: null, status: 'active' },
    })
  })

  it('tells once of all that one transaction changed, beside its other events', async () => {
    const id = await converse(true)
    const sent = await app.rest(ann, 'POST', `/v2/conversations/${id}/messages`, [
      { text: 'One moment' },
      { type: 'command', text: '/assign', meta: { users: [ben.id] } },
      { type: 'command', text: '/set @language nl' },
      { text: 'Ben will help you' },
      { type: 'command', text: '/follow', user: ben.id },
      { type: 'command', text: '/leave' },
    ])
    expect(sent.status).toBe(201)
    expect(await next(id)).toMatchObject({
      conversation: { status: 'queued', language: 'nl', participants: [{ user: ben.id, follow: true, inbox: true }] },
      previous: { status: 'active', language: null, participants: [{ user: ann.id, accepted: true }] },
    })
  })

  it('tells of every change of participants when many are made at once', async () => {
    const id = await converse(true)
    const agents = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        app.makeUser({ organization: admin.organization, displayName: `A${index}` }),
      ),
    )
    await Promise.all([
      ...agents.map((agent) => command(agent, id, '/follow')),
      ...agents.map((agent) => hooks.say(agent, id, `From ${agent.id}`, { role: 'agent', isBackchannel: true })),
      ...agents.map((_, index) => command(ann, id, `/set k${index} ${index}`)),
    ])
    const told = await everyUpdate(id, ({ participants, meta }) =>
      agents.every(({ id: user }, index) => isFollowing(participants, user) && `k${index}` in meta),
    )
    const former = told.flatMap(({ previous: { participants } }) => (participants ? [participants] : []))
    // Somebody is missing in each former state, and each of them is missing in at least one.
    for (const { id: user } of agents) {
      expect(former.filter((participants) => !isFollowing(participants, user)).length).toBeGreaterThan(0)
    }
    const keys = told.flatMap(({ previous: { meta } }) => (meta ? [Object.keys(meta)] : []))
    expect(keys).toHaveLength(8)
  })

  it('is not sent for counts, which change with every message', async () => {
    const id = await converse(true)
    await command(ben, id, '/follow')
    await next(id)
    await hooks.say(admin, id, 'One more thing', { role: 'bot' })
    await command(ann, id, '/set @name Next')
    expect((await next(id)).conversation.name).toBe('Next')
  })
})
