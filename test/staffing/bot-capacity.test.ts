import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must } from '../conversations/conversation-fixture.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'

let office: Office
beforeAll(async () => {
  office = await startOffice({}, { pace: 10 })
})
afterAll(async () => {
  await office.disconnect()
  await office.close()
})

/** A paused bot does not ask by itself. */
const loadSeen = async (bot: MadeUser): Promise<number> => {
  const query = 'query ($user: ID) { agentState(user: $user) { load } }'
  return (await must(office.run<{ load: number }>(office.admin, query, { user: bot.id }))).load
}

/** Units of two conversations of the web. */
const TWO = 8
const makeBot = (): Promise<MadeUser> => office.makeUser({ organization: office.organization, role: 'bot' })
const outcomesOf = async (id: string, bot: MadeUser): Promise<string[]> =>
  (await office.stateOf(id)).routingTrace[0]!.candidates.filter(({ userId }) => userId === bot.id).map(
    ({ outcome }) => outcome,
  )
const take = (bot: MadeUser, id: string): Promise<unknown> => must(office.command(bot, id, '/accept'))
const answer = (bot: MadeUser, id: string): Promise<unknown> =>
  must(office.send(bot, id, { role: 'AGENT', text: 'It sails.' }))
const hasTaken = async (bot: MadeUser, id: string): Promise<boolean> => {
  const { status, participants } = await office.show(id)
  return status === 'ACTIVE' && participants.some(({ userId, accepted }) => userId === bot.id && accepted)
}

describe('a bot with a row in the staff', () => {
  it('is offered as many conversations at a time as its capacity has room for, the next when one is over', async () => {
    const bot = await makeBot()
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [bot])
    await office.ready(bot, TWO)
    const [first, second] = [await office.wait(channel), await office.wait(channel)]
    for (const id of [first, second]) await office.offered(id, bot)
    // An offer takes room as well.
    const third = await office.wait(channel)
    await until(async () => (await outcomesOf(third, bot)).includes('AT_CAPACITY'))
    for (const id of [first, second]) await take(bot, id)
    expect(await office.loadOf(bot)).toBe(TWO)
    expect((await office.stateOf(third)).offer).toBeNull()

    await answer(bot, first)
    await must(office.command(bot, first, '/leave'))
    await office.offered(third, bot)
    await take(bot, third)
    expect(await office.loadOf(bot)).toBe(TWO)
  })

  it('is assigned no more than that, however many wait, and all of them one after the other', async () => {
    const bot = await makeBot()
    const channel = await office.channelWith({ mode: 'ASSIGN' }, [bot])
    const waiting = await Promise.all(Array.from({ length: 7 }, () => office.wait(channel)))
    await office.ready(bot, TWO)
    const done = new Set<string>()
    while (done.size < waiting.length) {
      const left = waiting.filter((id) => !done.has(id))
      const taken = await until(async () => {
        const all = await Promise.all(left.map(async (id) => ((await hasTaken(bot, id)) ? id : null)))
        const own = all.filter((id) => id !== null)
        return own.length === Math.min(2, left.length) && own
      })
      expect(await office.loadOf(bot)).toBe(4 * taken.length)
      for (const id of taken) {
        await answer(bot, id)
        await must(office.command(bot, id, '/leave'))
        done.add(id)
      }
    }
    for (const id of waiting) expect((await office.show(id)).status).toBe('CLOSED')
  })

  it('has no room for an offer while it has what it answered by itself, by a stream once that is whole', async () => {
    const bot = await makeBot()
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [bot])
    await office.ready(bot, 4)
    const { id: own } = await office.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const streams = streamsOf(office)
    const { id: stream } = await must(streams.begin(bot, own))
    await must(streams.append(bot, stream, 0, 'It sails.'))
    // Half an answer takes nothing yet.
    expect(await office.loadOf(bot)).toBe(0)
    await must(streams.finish(bot, stream, 9))
    expect(await office.loadOf(bot)).toBe(4)
    const waiting = await office.wait(channel)
    await until(async () => (await outcomesOf(waiting, bot)).includes('AT_CAPACITY'))
    expect((await office.stateOf(waiting)).offer).toBeNull()
    await must(office.command(bot, own, '/leave'))
    await office.offered(waiting, bot)
  })

  it.each(['OFFER', 'ASSIGN'])(
    'gets nothing while it is paused, and what it was offered goes to others: %s',
    async (mode) => {
      const bot = await makeBot()
      const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
      const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [bot, ann])
      await office.ready(bot, TWO)
      const offered = await office.wait(channel)
      await office.offered(offered, bot)
      await must(office.run(office.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id }))
      await office.ready(ann, 4)
      await office.offered(offered, ann)

      const next = await office.channelWith({ mode }, [bot, ben])
      await office.ready(ben, 4)
      const waiting = [await office.wait(next), await office.wait(next)]
      const isBens = async (id: string): Promise<boolean> => {
        const { offer } = await office.stateOf(id)
        return offer?.userId === ben.id || (await hasTaken(ben, id))
      }
      await until(async () => (await isBens(waiting[0]!)) || (await isBens(waiting[1]!)))
      await until(async () => (await office.loadOf(ben)) === 4)
      expect(await loadSeen(bot)).toBe(0)
      // Who asks why nobody has it is told of the bot as well.
      const left = (await isBens(waiting[0]!)) ? waiting[1]! : waiting[0]!
      expect(await outcomesOf(left, bot)).toEqual(['UNAVAILABLE'])
      await must(office.run(office.admin, 'mutation ($id: ID!) { resumeBot(id: $id) { id } }', { id: bot.id }))
      await until(async () => (await loadSeen(bot)) === 4)
    },
  )
})

describe('a bot without one', () => {
  it('is offered nothing', async () => {
    const bot = await makeBot()
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [bot, office.ben])
    await office.ready(office.ben, 4)
    const id = await office.wait(channel)
    await office.offered(id, office.ben)
    expect(await outcomesOf(id, bot)).toEqual([])
  })
})
