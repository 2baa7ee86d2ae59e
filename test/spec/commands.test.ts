import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

/** The commands of 4.8 as messages of `/v2`, whose typed twins `conversations/commands.test.ts` compares with them. */

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
  const categories = [
    { name: 'Boats', forms: [] },
    { name: 'Cars', forms: [] },
  ]
  await fixture.rest(fixture.admin, 'PATCH', `/v2/organizations/${fixture.organization.id}`, { categories })
})
afterAll(() => fixture.close())

const command = (as: MadeUser, id: string, text: string, more: object = {}) =>
  fixture.rest(as, 'POST', `/v2/conversations/${id}/messages`, { type: 'command', text, ...more })
const read = async (id: string) => (await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}`)).body
const flags = async (id: string, { id: user }: MadeUser) => {
  const found = (await read(id)).participants.find((participant: { user: string }) => participant.user === user)
  return found && ['inbox', 'accepted', 'active', 'follow'].filter((flag) => found[flag])
}

describe('a command of /v2', () => {
  // [4.8 messages, default user, /assign, /follow, /unfollow, /follow user, /unfollow user, /join, /join user, /accept
  // user, /accept flags, /leave, /leave user] [3.2 /assign, /assign until /accept, /follow, /unfollow, /join, /accept]
  // [6 rule 3 /assign, rule 3 /accept] [2.9 type command]
  it('acts for the caller, or for the user that it names', async () => {
    const rows: [text: string, expected: string[]][] = [
      ['/follow', ['follow']],
      ['/join', ['active', 'follow']],
      ['/accept', ['accepted', 'active', 'follow']],
      ['/unfollow', ['accepted', 'active']],
    ]
    for (const more of [{}, { user: fixture.ben.id }]) {
      const { id } = await fixture.inStatus('QUEUED')
      const caller = more.user ? fixture.ann : fixture.ben
      for (const [text, expected] of rows) {
        expect([text, (await command(caller, id, text, more)).status]).toEqual([text, 201])
        expect([text, await flags(id, fixture.ben), await flags(id, fixture.ann)]).toEqual([text, expected, undefined])
      }
      await command(caller, id, '/leave', more)
      expect(await flags(id, fixture.ben)).toBeUndefined()
      await command(fixture.ann, id, '/assign', { meta: { users: [fixture.ben.id] } })
      expect(await flags(id, fixture.ben)).toEqual(['inbox'])
      await command(caller, id, '/accept', more)
      expect(await flags(id, fixture.ben)).toEqual(['accepted', 'active'])
    }
  })

  // [2.12 /accept channels, /accept trigger, /accept isTask, /assign, /action, trigger, trigger by the frontend,
  // isTask]
  it('accepts the metadata of its kind', async () => {
    for (const trigger of ['inbox', 'channel', 'notification', 'shortkey', 'command', 'open', 'link']) {
      const { id } = await fixture.inStatus('QUEUED')
      const { status, body } = await command(fixture.ann, id, '/accept', { meta: { trigger, isTask: true } })
      expect([status, body.meta]).toEqual([201, { trigger, isTask: false, channels: [fixture.channel] }])
    }
    const { id } = await fixture.inStatus('QUEUED')
    for (const [text, meta, field] of [
      ['/accept', { trigger: 'magic' }, 'meta.trigger'],
      ['/assign', {}, 'meta.users'],
      ['/assign', { users: 'ben' }, 'meta.users'],
      ['/action like', {}, 'meta.message'],
    ] as const) {
      const { status, body } = await command(fixture.ann, id, text, { meta })
      expect([text, status, body.field]).toEqual([text, 400, field])
    }
  })

  // [3.1 visit not accepted, visit not dequeued, visit without channels, queued by /join, queued by /join adds] [4.8
  // /join, /join status]
  it('/join of a visitor neither accepts nor takes it out of the queue', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    const { body } = await command(fixture.ann, id, '/join')
    expect(body.meta?.channels).toBeUndefined()
    expect(await flags(id, fixture.ann)).toEqual(['active'])
    expect(await read(id)).toMatchObject({ status: 'queued', channelsOffline: [fixture.channel] })
  })

  // [3.1 active by /leave when answered removes] [4.8 /leave and /join, /leave and /join in any order]
  it('/leave of one and /join of another forward a conversation, in either order', async () => {
    const leave = (id: string) => command(fixture.ann, id, '/leave')
    const join = (id: string) => command(fixture.ann, id, '/join', { user: fixture.ben.id })
    for (const isAnswered of [true, false]) {
      const outcomes: unknown[] = []
      for (const order of [
        [leave, join],
        [join, leave],
      ]) {
        const { id } = await fixture.inStatus('ACTIVE')
        if (!isAnswered) await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'and?' })
        for (const move of order) expect((await move(id)).status).toBe(201)
        outcomes.push([(await read(id)).status, await flags(id, fixture.ann), await flags(id, fixture.ben)])
      }
      const expected = [isAnswered ? 'closed' : 'queued', undefined, ['active']]
      expect(outcomes).toEqual([expected, expected])
    }
  })

  // [4.8 /set @name, /set @category, /set @category index, /set @touchpoint, /set @language, /set key, /set key
  // without @, /set meta] [2.12 /set] [2.4 categories active]
  it('/set changes what it names, and metadata otherwise', async () => {
    const { id } = await fixture.create({ meta: { kept: 1 } })
    for (const [text, meta, changed] of [
      ['/set @name Ahoy there', undefined, { name: 'Ahoy there' }],
      ['/set @category Cars', undefined, { category: 'Cars', categoryIndex: 1 }],
      ['/set @category 0', undefined, { category: 'Boats', categoryIndex: 0 }],
      ['/set @touchpoint email', undefined, { touchpoint: 'email' }],
      ['/set @language de', undefined, { language: 'de' }],
      ['/set intent buy a boat', undefined, { meta: { kept: 1, intent: 'buy a boat' } }],
      ['/set', { a: { b: 1 } }, { meta: { kept: 1, intent: 'buy a boat', a: { b: 1 } } }],
    ] as const) {
      expect([text, (await command(fixture.ann, id, text, { meta })).status]).toEqual([text, 201])
      expect(await read(id)).toMatchObject(changed)
    }
  })
})
