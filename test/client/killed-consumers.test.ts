import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { until } from '../support/until.js'
import { createTaker } from '../webhooks/taker.js'

/** `npm run leases` makes 1,500, and kills 30 times. */
const EVENTS = Number(process.env.LEASED_EVENTS ?? 150)
const CONVERSATIONS = 10
const CONSUMERS = 3
const KILLS = EVENTS / 50
const LEASE_MS = 61_000

let fixture: ConversationFixture
const children = new Set<ChildProcess>()
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await fixture.close()
})

it(`${EVENTS} events reach consumers that are killed: none is lost, and none out of order`, async () => {
  const taker = createTaker(fixture)
  const token = await fixture.tokenFor(fixture.bot)
  const params = { events: ['message.create.contact.chat'], bot: fixture.bot.id }
  const service = await taker.register(fixture.admin, params)
  /** Events that consumers have handled, and when: what different ones say is not read in the order in which they said it. */
  const handled: { at: bigint; event: string }[] = []
  const events = (): Set<string> => new Set(handled.map(({ event }) => event))
  const start = (): ChildProcess => {
    const env = { ...process.env, SERVER: fixture.url, BOT_TOKEN: token, SERVICE: service }
    const command = ['test/support/typescript-process.mjs', 'test/client/counting-bot.ts']
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, at, event] = /^(\d+) (.*)$/.exec(line)!
      handled.push({ at: BigInt(at!), event: event! })
    })
    children.add(child)
    return child
  }
  const kill = async (child: ChildProcess): Promise<void> => {
    children.delete(child)
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    // What it has said is read before what another one says of the same events.
    await closed
  }
  const conversations = await Promise.all(
    Array.from({ length: CONVERSATIONS }, async () => (await must(fixture.tryCreate({}, fixture.admin))).id),
  )
  for (let consumer = 0; consumer < CONSUMERS; consumer++) start()
  const each = EVENTS / CONVERSATIONS
  const writing = Promise.all(
    conversations.map(async (id, at) => {
      for (let nth = 0; nth < each; nth++)
        await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: `${at} ${nth}` }))
    }),
  )
  for (let kills = 1; kills <= KILLS; kills++) {
    const share = (kills * EVENTS) / (KILLS + 1)
    await until(() => events().size >= share)
    await kill([...children][kills % CONSUMERS]!)
    start()
    // Its leases are over, as after a minute.
    fixture.clock.advance(LEASE_MS)
  }
  await writing
  await until(
    () => taker.state(fixture.admin, service),
    ({ pending }) => pending === 0,
  )
  for (const child of children) await kill(child)
  const twice = handled.length - events().size
  const inOrder = handled.toSorted((one, other) => (one.at < other.at ? -1 : 1)).map(({ event }) => event)
  let disordered = 0
  for (const at of conversations.keys()) {
    let next = 0
    for (const line of inOrder.filter((text) => text.startsWith(`${at} `))) {
      const nth = Number(line.split(' ')[1])
      // What came twice may come again; what was not there yet comes next.
      if (nth > next) disordered += 1
      if (nth === next) next += 1
    }
  }
  expect({ lost: EVENTS - events().size, disordered }).toEqual({ lost: 0, disordered: 0 })
  process.stdout.write(`${EVENTS} events, ${KILLS} kills: lost 0, out of order 0, ${twice} twice\n`)
}, 900_000)
