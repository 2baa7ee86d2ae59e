import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBot, type BotConversation, type BotOptions } from '@switchboard/client/bot'
import { newSecret, signatureHeaders } from '../../src/modules/webhooks/signing.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
let token: string
const secret = newSecret()
beforeAll(async () => {
  fixture = await startConversationFixture()
  token = await fixture.tokenFor(fixture.bot)
})
afterAll(() => fixture.close())

const consumerSays = async (id: string, text: string): Promise<string> =>
  (await fixture.send(fixture.admin, id, { role: 'CONTACT', text })).value.id

/** Delivers the event of a consumer's message, with the conversation as it is now. */
async function deliver(bot: ReturnType<typeof createBot>, id: string, message: string): Promise<number> {
  const { body: conversation } = await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}`)
  const [eventId, sentAt] = [crypto.randomUUID(), new Date()]
  const body = JSON.stringify({
    id: eventId,
    event: 'message.create.contact.chat',
    timestamp: sentAt.toISOString(),
    data: { message: { id: message, type: 'chat', role: 'contact', text: 'x' }, conversation },
  })
  const headers = signatureHeaders({ id: eventId, sentAt, body, secrets: [secret] })
  return (await bot.fetch(new Request('https://bot.example/', { method: 'POST', headers, body }))).status
}

const botOf = (onMessage: BotOptions['onMessage'], more: Partial<BotOptions> = {}) =>
  createBot({ serverUrl: fixture.url, token, secret, onMessage, burstMs: 0, ...more })

const answers = async (id: string): Promise<(string | null)[]> =>
  (await fixture.show(id)).messages.edges.flatMap(({ node }) => (node.role === 'AGENT' ? [node.text] : []))

describe('a run of the bot', () => {
  it('ends without a word when the consumer writes meanwhile, whose message has a run of its own', async () => {
    const { id } = await fixture.create()
    const first = await consumerSays(id, 'one')
    let meanwhile = async () => void (await consumerSays(id, 'two'))
    let ended = 0
    const bot = botOf(async (_message, conversation) => {
      await meanwhile()
      await conversation.say('an answer')
      ended += 1
      await conversation.say('and more')
    })
    expect(await deliver(bot, id, first)).toBe(204)
    expect([await answers(id), ended]).toEqual([[], 0])
    meanwhile = async () => undefined
    expect(await deliver(bot, id, first)).toBe(204)
    expect([await answers(id), ended]).toEqual([['an answer', 'and more'], 1])
  })

  it('does not talk over an agent who takes over', async () => {
    const { id } = await fixture.create()
    const first = await consumerSays(id, 'one')
    const bot = botOf(async (_message, conversation) => {
      await fixture.command(fixture.ann, id, '/accept')
      await conversation.say('as I was saying')
    })
    expect(await deliver(bot, id, first)).toBe(204)
    expect(await answers(id)).toEqual([])
  })

  it('leaves the conversation to people after three in a row that were held', async () => {
    const { id } = await fixture.create()
    const calm = botOf((_message, conversation) => conversation.say('hello'))
    await deliver(calm, id, await consumerSays(id, 'hello'))
    expect((await fixture.show(id)).status).toBe('ACTIVE')
    const hasty = botOf(async (_message, conversation) => {
      await consumerSays(id, 'and another thing')
      await conversation.say('too late')
    })
    for (const status of ['ACTIVE', 'ACTIVE', 'QUEUED']) {
      expect(await deliver(hasty, id, await consumerSays(id, 'again'))).toBe(204)
      expect((await fixture.show(id)).status).toBe(status)
    }
    expect(await answers(id)).toEqual(['hello'])
  })

  it('handles a burst once, with all of it', async () => {
    const { id } = await fixture.create()
    const pieces = [await consumerSays(id, 'hi'), await consumerSays(id, 'my order'), await consumerSays(id, 'is late')]
    const runs: string[][] = []
    const bot = botOf(
      async (_message: unknown, conversation: BotConversation) => void runs.push(await conversation.unanswered()),
      {
        burstMs: 20,
      },
    )
    for (const piece of pieces) expect(await deliver(bot, id, piece)).toBe(204)
    expect(runs).toEqual([['hi', 'my order', 'is late']])
  })
})
