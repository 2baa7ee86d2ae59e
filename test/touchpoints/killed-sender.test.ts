import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSmsWorld, type SmsServer, type SmsWorld } from './sms-servers.js'
import { until } from '../support/until.js'

/** A server in a process of its own, and a provider of text messages that keeps its answers until it is told. */
let world: SmsWorld
let server: SmsServer
beforeAll(async () => {
  world = await openSmsWorld()
  server = await world.start()
})
afterAll(() => world.close())

describe('a server that is killed while it sends a message to a provider', () => {
  it('is left to an agent after the restart if the provider does not detect duplicates', async () => {
    const id = await server.open('+31612345001')
    world.provider.holds = true
    await server.say(id, 'in the air')
    await server.say(id, 'behind it')
    await until(() => world.texts.includes('in the air'))
    await server.process.kill()
    world.provider.holds = false
    await server.process.start()
    const settled = await until(async () => {
      const now = await server.deliveriesOf(id)
      return now.every(({ status }) => status !== 'QUEUED') && now
    })
    expect(settled).toEqual([
      { text: 'in the air', status: 'MAYBE_SENT', reason: expect.stringContaining('stopped'), attempts: 1 },
      { text: 'behind it', status: 'SENT', reason: null, attempts: 1 },
    ])
    expect(world.texts.filter((text) => text === 'in the air')).toHaveLength(1)
  })

  it('sends no message twice and forgets none, however often it is killed', async () => {
    const conversations = await Promise.all([1, 2, 3, 4].map((index) => server.open(`+3161234510${index}`)))
    const accepted: string[] = []
    for (let kill = 0; kill < 3; kill += 1) {
      const sends = conversations.flatMap((id, at) =>
        Array.from({ length: 5 }, async (_, index) => {
          const text = `message ${kill}.${at}.${index}`
          await server.say(id, text)
          accepted.push(text)
        }),
      )
      await Promise.race([Promise.allSettled(sends), until(() => accepted.length > kill * 20 + 8)])
      await server.process.kill()
      await Promise.allSettled(sends)
      await server.process.start()
    }
    const settled = (
      await Promise.all(
        conversations.map((id) =>
          until(async () => {
            const now = await server.deliveriesOf(id)
            return now.every(({ status }) => status !== 'QUEUED') && now
          }),
        ),
      )
    ).flat()
    const stored = new Set(settled.map(({ text }) => text))
    expect(accepted.filter((text) => !stored.has(text))).toEqual([])
    expect(world.texts.filter((text, index) => world.texts.indexOf(text) !== index)).toEqual([])
    for (const { text, status } of settled) {
      if (status === 'SENT') expect(world.texts).toContain(text)
      else expect(status).toBe('MAYBE_SENT')
    }
  })
})
