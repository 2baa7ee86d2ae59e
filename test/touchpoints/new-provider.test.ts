import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TOUCHPOINTS } from '../../src/modules/touchpoint-traits.js'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { FarSide } from './test-provider.js'

/** A provider that the source does not know: all that it needs is its folder and its row in `touchpoints-module.ts`. */
const TYPE = 'pigeon'

const far = new FarSide()
let fixture: ConversationFixture
beforeAll(async () => {
  const touchpoints = { ...far.touchpoints, [TYPE]: far.provider('messenger', TYPE) }
  fixture = await startConversationFixture({}, { touchpoints })
})
afterAll(() => fixture.close())

async function makeService(type: string): Promise<{ id: string; type: string }> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type } },
  )
  return { id: value.id, type }
}

describe('a further provider of a touchpoint', () => {
  it('receives and delivers beside the first one', async () => {
    const services = [await makeService('messenger'), await makeService(TYPE)]
    const conversations = new Map<string, string>()
    for (const service of services) {
      const said = {
        providerId: `in-${service.type}`,
        from: { handle: `of-${service.type}` },
        message: { text: 'Hello' },
      }
      const received = await far.say(service, said)
      if (!('message' in received)) throw new Error(received.ignored)
      conversations.set(received.conversation, service.id)
    }
    expect(conversations.size).toBe(2)
    for (const [conversation, service] of conversations) {
      const shown = await fixture.show(conversation)
      expect(shown).toMatchObject({ touchpoint: 'MESSENGER', touchpoints: { messenger: { selected: true } } })
      expect(texts(shown)).toEqual(['Hello'])
      await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: `by ${service}` })
    }
    await until(
      () => Promise.resolve(far.sent),
      (sent) => sent.length === 2,
    )
    expect(
      far.sent.map(({ service, recipient, message }) => [service.type, recipient, message.text]).toSorted(),
    ).toEqual(services.map(({ id, type }) => [type, `of-${type}`, `by ${id}`]).toSorted())
  })

  it('is a touchpoint that the tables take, and no other is', async () => {
    const rows = await fixture.server.database.query<{ check: string }>(
      `select pg_get_constraintdef(oid) as check from pg_constraint
       where contype = 'c' and pg_get_constraintdef(oid) like '%touchpoint%'`,
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { check } of rows) {
      expect([...check.matchAll(/'(\w+)'/g)].map(([, name]) => name).toSorted()).toEqual(TOUCHPOINTS.toSorted())
    }
  })
})
