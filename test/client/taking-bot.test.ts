import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBot, type BotOptions } from '@switchboard/client/bot'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'
import { createTaker, type Taker } from '../webhooks/taker.js'

let fixture: ConversationFixture
let taker: Taker
let token: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  taker = createTaker(fixture)
  token = await fixture.tokenFor(fixture.bot)
})
afterAll(() => fixture.close())

const consumerSays = async (id: string, text: string): Promise<string> =>
  (await fixture.send(fixture.admin, id, { role: 'CONTACT', text })).value.id

const answers = async (id: string): Promise<(string | null)[]> =>
  (await fixture.show(id)).messages.edges.flatMap(({ node }) => (node.role === 'AGENT' ? [node.text] : []))

const register = () => taker.register(fixture.admin, { events: ['message.create.contact.chat'], bot: fixture.bot.id })

const isIdle = (service: string) =>
  until(
    () => taker.state(fixture.admin, service),
    ({ pending }) => pending === 0,
  )

/** Times that the event of a service was given out most often. */
const ATTEMPTS = 'select max(attempts)::int as attempts from webhook_delivery where service_id = $1'

/** Runs a bot until the work is done. */
async function during(
  service: string,
  options: Pick<BotOptions, 'onMessage'> & Partial<BotOptions>,
  work: () => Promise<void>,
): Promise<void> {
  const ends = new AbortController()
  const running = createBot({ serverUrl: fixture.url, token, service, burstMs: 0, ...options }).run(ends.signal)
  try {
    await work()
  } finally {
    ends.abort()
    await running
  }
}

describe('a bot that takes its events', () => {
  it('answers in order, by the handlers of a webhook, and ends with its signal', async () => {
    const service = await register()
    const { id } = await fixture.create()
    const onMessage: BotOptions['onMessage'] = ({ text }, conversation) => conversation.say(`about ${text}`)
    await during(service, { onMessage }, async () => {
      await consumerSays(id, 'one')
      await until(async () => (await answers(id)).length === 1)
      await consumerSays(id, 'two')
      await isIdle(service)
    })
    expect(await answers(id)).toEqual(['about one', 'about two'])
  })

  it('gets an event again that its handler failed at', async () => {
    const service = await register()
    const { id } = await fixture.create()
    const errors: unknown[] = []
    const onMessage: BotOptions['onMessage'] = async (_message, conversation) => {
      if (errors.length === 0) throw new Error('out of order')
      await conversation.say('in order')
    }
    await during(service, { onMessage, onError: (error) => void errors.push(error) }, async () => {
      await consumerSays(id, 'one')
      await until(() => errors.length > 0)
      fixture.clock.advance(2_000)
      await isIdle(service)
    })
    expect([await answers(id), errors.map(String)]).toEqual([['in order'], ['Error: out of order']])
  })

  it('lets go of an answer that takes longer than its lease once the consumer writes again, and goes on in order', async () => {
    const service = await register()
    const { id } = await fixture.create()
    const runs: string[] = []
    const onMessage: BotOptions['onMessage'] = async ({ text }, conversation) => {
      runs.push(text!)
      const stream = await conversation.stream()
      // As a model that never answers.
      if (text === 'one') await once(stream.signal, 'abort').then(() => stream.signal.throwIfAborted())
      stream.write(`about ${text}`)
      await stream.finish()
    }
    await during(service, { onMessage }, async () => {
      await consumerSays(id, 'one')
      await until(() => runs.length === 1)
      await consumerSays(id, 'two')
      await consumerSays(id, 'three')
      fixture.clock.advance(61_000)
      await isIdle(service)
    })
    expect(runs).toEqual(['one', 'two', 'three'])
    // The answer to the second was held, since the consumer had written the third.
    expect(await answers(id)).toEqual(['about three'])
  })

  it('says a thing once if it is killed before it has acknowledged the event', async () => {
    const service = await register()
    const { id } = await fixture.create()
    await consumerSays(id, 'one')
    const env = { ...process.env, SERVER: fixture.url, BOT_TOKEN: token, SERVICE: service, STALLS: '1' }
    const child = spawn(process.execPath, ['test/support/typescript-process.mjs', 'test/client/taking-bot.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    try {
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      await until(() => output.includes('said one'))
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    expect(await taker.state(fixture.admin, service)).toMatchObject({ pending: 1, taken: 1 })
    fixture.clock.advance(61_000)
    const runs: string[] = []
    const onMessage: BotOptions['onMessage'] = async ({ text }, conversation) => {
      runs.push(text!)
      await conversation.say(`about ${text}`)
    }
    await during(service, { onMessage }, async () => void (await isIdle(service)))
    expect([runs, await answers(id)]).toEqual([['one'], ['about one']])
  })

  it('handles an event once that it is given again while it works on it', async () => {
    const service = await register()
    const { id } = await fixture.create()
    let runs = 0
    let goOn: () => void = () => undefined
    const worked = new Promise<void>((resolve) => (goOn = resolve))
    const onMessage: BotOptions['onMessage'] = async ({ text }, conversation) => {
      runs += 1
      await worked
      await conversation.say(`about ${text}`)
    }
    await during(service, { onMessage }, async () => {
      await consumerSays(id, 'one')
      await until(() => runs === 1)
      const attempts = async () =>
        (await fixture.server.database.query<{ attempts: number }>(ATTEMPTS, [service]))[0]!.attempts
      fixture.clock.advance(61_000)
      // A take that waits looks when there is something new.
      await consumerSays((await fixture.create()).id, 'of another')
      await until(attempts, (count) => count === 2)
      goOn()
      await isIdle(service)
    })
    expect([runs, await answers(id)]).toEqual([2, ['about one']])
  })

  it('is told if it may not take them', async () => {
    const service = await taker.register(fixture.admin, { events: ['message.create.contact.chat'] })
    const bot = createBot({ serverUrl: fixture.url, token, service, onMessage: () => undefined })
    await expect(bot.run()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(() => createBot({ serverUrl: fixture.url, token, onMessage: () => undefined })).toThrow('needs the secret')
  })
})
