import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  must,
  startConversationFixture,
  texts,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { MAY_SUGGEST, suggesting, type Suggested } from './copilot-fixture.js'
import { SEND } from './governed-bot.js'

const TEXT = 'Your order is on its way.'
const TAKE = 'mutation ($proposal: ID!) { takeProposal(proposal: $proposal) { id } }'

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof suggesting>
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = suggesting(fixture)
  bot = await by.governed(MAY_SUGGEST)
  await by.setCategories('Billing')
})
afterAll(async () => {
  await other?.close()
  await fixture?.close()
})

const answerWith = ({ id }: { id: string }) => ({ role: 'AGENT', text: TEXT, proposal: id })

describe('two who take one at the same time, on two nodes', () => {
  it('are one who did, and one who is told', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await by.waiting()
      const reply = await by.suggested(bot, id, { reply: { text: TEXT } })
      const category = await by.suggested(bot, id, { category: 'Billing' })
      const given = { id, message: answerWith(reply) }
      const both = await Promise.all([
        fixture.gql(fixture.ann, SEND, given),
        other.gql(fixture.ben, SEND, given),
        fixture.gql(fixture.ann, TAKE, { proposal: category.id }),
        other.gql(fixture.ben, TAKE, { proposal: category.id }),
      ])
      const reasons = both.map(({ errors }) => errors?.[0]?.extensions?.reason ?? 'done')
      expect(reasons.slice(0, 2).toSorted()).toEqual(['PROPOSAL_ENDED', 'done'])
      expect(reasons.slice(2).toSorted()).toEqual(['PROPOSAL_ENDED', 'done'])
      expect(texts(await fixture.show(id)).filter((text) => text === TEXT)).toHaveLength(1)
    }
  })
})

it('is taken before the consumer writes, or not at all, whoever else decides', async () => {
  const deciders: ((made: Suggested, id: string) => Promise<unknown>)[] = [
    (_, id) => fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'wait' }),
    (made) => by.reject(made, fixture.admin),
    (_, id) => must(by.trySuggest(bot, id, { reply: { text: 'better' } })).catch(() => undefined),
    (_, id) => fixture.rest(fixture.admin, 'DELETE', `/v2/conversations/${id}`),
  ]
  for (const [index, decide] of [...deciders, ...deciders].entries()) {
    const { id } = await by.waiting()
    const made = await by.suggested(bot, id, { reply: { text: TEXT } })
    const [sent] = await Promise.all([
      other.gql(fixture.ann, SEND, { id, message: answerWith(made) }),
      decide(made, id),
    ])
    if (index % 4 === 3) continue
    const said = texts(await fixture.show(id))
    expect(said.filter((text) => text === TEXT)).toHaveLength(sent.errors ? 0 : 1)
    const { status, outcome, messageId } = await by.read(made)
    if (sent.errors) expect(['STALE', 'REJECTED', 'REPLACED']).toContain(status)
    else expect({ status, outcome, messageId }).toMatchObject({ status: 'TAKEN', outcome: 'ACCEPTED' })
    if (!sent.errors && said.includes('wait')) expect(said.indexOf(TEXT)).toBeLessThan(said.indexOf('wait'))
  }
})

describe('a bot', () => {
  const own = () => by.governed(MAY_SUGGEST)

  it('that is paused or deleted has suggested nothing any more', async () => {
    for (const end of [
      (id: string) => must(fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id })),
      (id: string) => fixture.rest(fixture.admin, 'DELETE', `/v2/users/${id}`),
    ]) {
      const [mine, { id }] = [await own(), await by.waiting()]
      const made = await by.suggested(mine, id, { reply: { text: TEXT } })
      await end(mine.id)
      expect(await by.answer(id, made, TEXT)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
      await until(
        () => by.read(made),
        ({ status }) => status === 'ENDED',
      )
      expect(await by.pendingIn(id)).toEqual([])
      expect(await by.textsOf(id)).toEqual(['hello'])
    }
  })

  const ROTATE = 'mutation ($user: ID!, $hours: Int) { rotateApiToken(user: $user, overlapHours: $hours) { apiToken } }'
  const rotated = async (user: string, hours = 0): Promise<string> =>
    (await must(fixture.run<{ apiToken: string }>(fixture.admin, ROTATE, { user, hours }))).apiToken

  it('whose token has ended has suggested nothing with it; with another it goes on', async () => {
    const [mine, { id }] = [await own(), await by.waiting()]
    const [early, other] = [await rotated(mine.id), await by.waiting()]
    const made = await by.suggested(early, id, { reply: { text: TEXT } })
    const late = await rotated(mine.id, 1)
    const kept = await by.suggested(late, other.id, { reply: { text: TEXT } })
    expect(await by.read(made)).toMatchObject({ status: 'PENDING' })
    fixture.clock.advance(3_600_000)
    await until(
      () => by.read(made),
      ({ status }) => status === 'ENDED',
    )
    expect(await by.pendingIn(id)).toEqual([])
    expect(await by.read(kept)).toMatchObject({ status: 'PENDING' })
    await rotated(mine.id)
    await until(
      () => by.read(kept),
      ({ status }) => status === 'ENDED',
    )
  })

  it('whose token ends takes no acknowledged answer of a person along', async () => {
    const [mine, { id }] = [await own(), await by.waiting()]
    const made = await by.suggested(await rotated(mine.id), id, { reply: { text: TEXT } })
    const message = { role: 'AGENT', text: TEXT, proposal: made.id, delay: 60_000, id: fixture.clock.newId() }
    await must(fixture.send(fixture.ann, id, message))
    await rotated(mine.id)
    await until(
      () => by.read(made),
      ({ status }) => status === 'ENDED',
    )
    // Sent again, since the first answer was lost.
    await must(fixture.send(fixture.ann, id, message))
    fixture.clock.advance(60_000)
    await until(
      () => by.textsOf(id),
      (all) => all.includes(TEXT),
    )
    expect((await by.textsOf(id)).filter((text) => text === TEXT)).toHaveLength(1)
  })

  it('that is released, or may no longer suggest, has suggested what a person may take', async () => {
    const [mine, { id }] = [await own(), await by.waiting()]
    const released = await by.suggested(mine, id, { category: 'Billing' })
    await must(by.release(mine))
    await must(by.take(released))
    const [less, second] = [await own(), await by.waiting()]
    const made = await by.suggested(less, second.id, { reply: { text: TEXT } })
    await must(by.govern(less, []))
    await must(by.answer(second.id, made, TEXT))
    expect(await by.read(made)).toMatchObject({ outcome: 'ACCEPTED' })
  })
})

describe('a message with a delay', () => {
  it('takes it when it is due, and is sent as well if it ended meanwhile', async () => {
    const [first, second] = [await by.waiting(), await by.waiting()]
    const [kept, lost] = await Promise.all(
      [first, second].map(({ id }) => by.suggested(bot, id, { reply: { text: TEXT } })),
    )
    for (const [{ id }, made] of [
      [first, kept!],
      [second, lost!],
    ] as const)
      await must(by.answer(id, made, TEXT, fixture.ann, { delay: 60_000 }))
    expect(await by.read(kept!)).toMatchObject({ status: 'PENDING' })
    await must(fixture.send(fixture.admin, second.id, { role: 'CONTACT', text: 'and?' }))
    fixture.clock.advance(60_000)
    for (const { id } of [first, second])
      await until(
        () => by.textsOf(id),
        (all) => all.includes(TEXT),
      )
    expect(await by.read(kept!)).toMatchObject({ status: 'TAKEN', outcome: 'ACCEPTED' })
    expect(await by.read(lost!)).toMatchObject({ status: 'STALE', outcome: 'IGNORED' })
  })

  it('that is cancelled has taken nothing', async () => {
    const { id } = await by.waiting()
    const made = await by.suggested(bot, id, { reply: { text: TEXT } })
    const sent = await must(by.answer(id, made, TEXT, fixture.ann, { delay: 60_000 }))
    const cancel = 'mutation ($id: ID!, $message: ID!) { cancelMessage(conversation: $id, id: $message) }'
    await must(fixture.run(fixture.ann, cancel, { id, message: sent.id }))
    expect(await by.read(made)).toMatchObject({ status: 'PENDING' })
  })
})
