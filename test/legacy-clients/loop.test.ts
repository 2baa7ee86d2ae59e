import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startWorld, type World } from './world.js'

/** `npm run legacy:loop` takes a thousand. */
const CONTEXTS = Number(process.env.LEGACY_CONTEXTS ?? 100)
const AT_ONCE = 8

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

// [legacy whole.loop]
it('accepts many concurrent conversations of a bot without a refusal: create, say, ask, answer, set, leave', async () => {
  const statuses = new Map<number, number>()
  const count = ({ statusCode }: { statusCode: number }): void =>
    void statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  const afterResponse = [(response: { statusCode: number }) => (count(response), response)]
  const bot = await world.client(world.bot, { fetchExtensions: { afterResponse } })
  const asked = `_asked${bot.auth.user}`
  const converse = async (index: number): Promise<void> => {
    const contact = { profile: { name: `Contact ${index}`, email: `contact-${index}@example.com` } }
    const made = await bot.conversations.create({ type: 'contact', contact, touchpoint: 'email', meta: {} })
    const context = await bot.conversation(made)
    await context.say('Hello')
    const question = await context.say({ text: 'Your name?', role: 'agent' })
    await bot.send(context.id, { type: 'command', text: `/set ${asked} ${question.id}`, meta: {} })
    await bot.send(context.id, { role: 'contact', text: 'Carl' })
    await context.set(asked)
    // As bots do: at once, in whatever order they arrive.
    await Promise.all([context.set('name', 'Carl'), context.say('Thank you', { role: 'agent' }), context.leave()])
  }
  const startedAt = Date.now()
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < CONTEXTS) await converse(next++)
    }),
  )
  expect([...statuses.keys()]).toEqual([201])
  expect(bot.errors).toEqual([])
  process.stdout.write(
    `chipchat: ${CONTEXTS} contexts, ${statuses.get(201)} requests in ${Date.now() - startedAt} ms\n`,
  )
})
