import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture } from '../provider-fixture.js'
import { BOT, startBotApi, updateOf, type BotApi } from './bot-api.js'

const POLLS = "select payload from job where kind = 'telegram.poll'"

let fixture: ProviderFixture
let bots: BotApi
let service: string
let ids = 0

beforeAll(async () => {
  fixture = await startProviderFixture()
  bots = await startBotApi()
  bots.webhook.url = 'https://an.earlier.example/hook'
  service = await fixture.makeService('telegram', { ...BOT, receive: 'poll', apiUrl: bots.url })
})
afterAll(async () => {
  await fixture.app.close()
  await bots.close()
})

const say = (text: string): object => {
  const id = 7_100_000
  const message = { message_id: ++ids, date: 1, from: { id, is_bot: false }, chat: { id, type: 'private' }, text }
  const update = updateOf({ message })
  bots.queue(update)
  return update
}

const heard = (count: number) =>
  until(async () => {
    const said = (await fixture.receivedBy(service)).map(({ text }) => text)
    return said.length >= count && said
  })

const update = (input: object): Promise<unknown> =>
  fixture.app.gql(
    fixture.admin,
    'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }',
    {
      id: service,
      patch: input,
    },
  )

describe('a bot whose updates are fetched', () => {
  it('needs no address: the one that the platform had is taken away, and each update is stored once, in order', async () => {
    say('One')
    say('Two')
    expect(await heard(2)).toEqual(['One', 'Two'])
    expect(bots.webhook.url).toBe('')
    say('Three')
    expect(await heard(3)).toEqual(['One', 'Two', 'Three'])
  })

  it('goes on where it was when the service is saved again, with one request at a time', async () => {
    await update({ name: 'Harbour' })
    const again = say('Four')
    expect(await heard(4)).toEqual(['One', 'Two', 'Three', 'Four'])
    // The platform gives again what was not confirmed.
    bots.queue(again)
    say('Five')
    expect(await heard(5)).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
    await until(async () => (await fixture.app.server.database.query(POLLS)).length === 1)
  })

  it('is fetched again after its job was lost', async () => {
    await fixture.app.server.database.query("delete from job where kind = 'telegram.poll'")
    await fixture.app.server.maintenance.run()
    say('Six')
    expect((await heard(6)).at(-1)).toBe('Six')
  })

  it('is fetched no more once its service is switched off, and again once it is on', async () => {
    await update({ status: 'INACTIVE' })
    say('Seven')
    await until(async () => (await fixture.app.server.database.query(POLLS)).length === 0)
    await update({ status: 'ACTIVE' })
    expect((await heard(7)).at(-1)).toBe('Seven')
  })
})
