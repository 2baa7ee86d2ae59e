import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Context } from 'chipchat'
import { listen } from './listen.js'
import { startWorld, type Client, type World } from './world.js'
import { until } from '../support/until.js'

/**
 * The client asks by two requests, the question and `/set _asked…`, by which it later knows an answer, and does not wait for the
 * second. These tests hold one request back, as a loaded machine does.
 */
let world: World
let admin: Client
beforeAll(async () => {
  world = await startWorld()
  admin = await world.client(world.admin)
})
afterAll(() => world.close())

interface Said {
  text: string
}

/** A bot in a conversation of its own, whose commands can be held back. */
interface Asker {
  bot: Client
  context: Context
  /** Texts that it heard as ordinary messages, and as answers to `answerColor`. */
  heard: string[]
  answers: string[]
  /** Holds back commands that begin so, until they are released; null: no more of them. */
  hold(beginning: string | null): void
  release(): void
  /** Reads the key of its question as it is stored. */
  asked(): Promise<string | undefined>
  says(text: string): Promise<unknown>
  isSaid(text: string): Promise<boolean>
}

const keyOf = (bot: Client): string => `_asked${bot.auth.user}`

async function startAsker(): Promise<Asker> {
  const [heard, answers]: [string[], string[]] = [[], []]
  let held: string | null = null
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const send = async (_bot: Client, { text = '' }: Partial<Said>, next: () => void): Promise<void> => {
    if (held !== null && text.startsWith(held)) await released
    next()
  }
  const { bot } = await listen(world, admin, { middleware: { send } })
  bot.on('message', ({ text }: Said) => void heard.push(text))
  bot.registerCallback('answerColor', ({ text }) => void answers.push(text))
  const id = await world.converse()
  return {
    bot,
    context: await bot.conversation(id),
    heard,
    answers,
    hold: (beginning) => void (held = beginning),
    release,
    asked: async () => (await admin.conversations.get(id)).meta[keyOf(bot)],
    says: (text) => admin.send(id, { role: 'contact', text }),
    isSaid: async (text) => (await admin.messages.list({ conversation: id, text })).length > 0,
  }
}

describe('a question of the client', () => {
  it.each(['callback', 'name'])(
    'by %s misses what the consumer says before its second request is stored: it is an ordinary message',
    async (by) => {
      const { bot, context, heard, answers, ...asker } = await startAsker()
      asker.hold(`/set ${keyOf(bot)}`)
      context.ask('Your color?', by === 'name' ? 'answerColor' : ({ text }: Said) => void answers.push(text))
      await until(() => asker.isSaid('Your color?'))
      await asker.says('Red')
      await until(() => heard.includes('Red'))
      expect([answers, await asker.asked()]).toEqual([[], undefined])
      // Nobody answers twice: without this the question would wait for ever.
      asker.release()
      await until(async () => (await asker.asked()) !== undefined)
      await asker.says('Red, I said')
      await until(() => answers.length > 0)
      expect([answers, heard.includes('Red, I said')]).toEqual([['Red, I said'], false])
    },
  )

  it('by name is lost if the end of the question before arrives after it', async () => {
    const { bot, context, heard, answers, ...asker } = await startAsker()
    context.ask('Your color?', 'answerColor')
    await until(async () => (await asker.asked()) === 'answerColor')
    // The client forgets the name by a request of its own, for which it does not wait.
    asker.hold(`/set ${keyOf(bot)} `)
    await asker.says('Red')
    await until(() => answers.length === 1)
    asker.hold(null)
    context.ask('And another?', 'answerColor')
    const commands = (): Promise<Said[]> => admin.messages.list({ conversation: context.id, type: 'command' })
    await until(async () => (await commands()).filter(({ text }) => text.endsWith('answerColor')).length === 2)
    asker.release()
    await until(async () => (await asker.asked()) === undefined)
    await asker.says('Blue')
    await until(() => heard.includes('Blue'))
    expect(answers).toEqual(['Red'])
  })

  it('of which the first request is refused is told of as an error, and to nobody else', async () => {
    const { bot, context, answers, ...asker } = await startAsker()
    context.ask({ text: 'Your color?', type: 'riddle' }, ({ text }: Said) => void answers.push(text))
    await until(() => bot.errors.length > 0)
    expect(bot.errors[0]).toMatchObject({ message: expect.stringContaining('type') })
    expect([await asker.asked(), answers]).toEqual([undefined, []])
  })

  // As the guide has it: one request after the other, and no key that the client removes.
  it('is never missed if the bot stores what it waits for before it asks', async () => {
    const { bot, context, answers, ...asker } = await startAsker()
    const ask = async (conversation: Context, step: string, question: string): Promise<void> => {
      await conversation.set('step', step)
      await conversation.say(question)
    }
    const event = 'message.create.contact.chat.contact'
    bot.on(event, { step: 'color' }, ({ text }: Said, conversation) => {
      answers.push(text)
      void ask(conversation, 'size', 'Your size?')
    })
    bot.on(event, { step: 'size' }, ({ text }: Said) => void answers.push(text))
    await ask(context, 'color', 'Your color?')
    await asker.says('Red')
    await until(() => asker.isSaid('Your size?'))
    await asker.says('Large')
    await until(() => answers.length === 2)
    expect(answers).toEqual(['Red', 'Large'])
  })
})

it('a handler of the client that waits holds up the next events of its conversation', async () => {
  const { bot } = await listen(world, admin)
  const heard: string[] = []
  let end: (() => void) | undefined
  bot.on('message.create.contact.chat.contact', ({ text }: Said) => {
    heard.push(text)
    return text === 'Hello' ? new Promise<void>((resolve) => (end = resolve)) : undefined
  })
  const [slow, other] = [await world.converse(), await world.converse()]
  const say = (id: string, text: string): Promise<unknown> => admin.send(id, { role: 'contact', text })
  await say(slow, 'Hello')
  await until(() => end !== undefined)
  await say(slow, 'Anybody?')
  await say(other, 'Elsewhere')
  await until(() => heard.includes('Elsewhere'))
  expect(heard).not.toContain('Anybody?')
  end!()
  await until(() => heard.includes('Anybody?'))
})
