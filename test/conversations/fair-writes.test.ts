import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { newContact, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

const CREATORS = 64
const SENDS = 30
const IMPORTS = 16

let fixture: ConversationFixture
/** A customer of the contact center, with a bot that does as much as it can, and a colleague at her desk. */
let customer: MadeOrganization
let bot: MadeUser
let quiet: { name: string; agent: MadeUser; conversation: string }[]
beforeAll(async () => {
  fixture = await startConversationFixture({ DATABASE_POOL_SIZE: '16' })
  const center = await fixture.makeContactCenter({ name: 'Center' })
  const other = await fixture.makeContactCenter({ name: 'Another center' })
  customer = await fixture.makeOrganization({ parent: center, name: 'Customer' })
  bot = await fixture.makeUser({ organization: customer, role: 'bot' })
  const places = { colleague: customer, customer: await fixture.makeOrganization({ parent: center }), center: other }
  quiet = await Promise.all(
    Object.entries(places).map(async ([name, organization]) => {
      const agent = await fixture.makeUser({ organization })
      const own = await fixture.makeUser({ organization, role: 'bot' })
      const conversation = (await fixture.create({ organization: organization.id }, own)).id
      return { name, agent, conversation }
    }),
  )
})
afterAll(() => fixture?.close())

/** Creates of the bot that are done. */
let created = 0

/** Sends one after the other. @returns how many creates were done during each, the fewest first */
async function overtakenBy(agent: MadeUser, conversation: string): Promise<number[]> {
  const counts: number[] = []
  for (let sent = 0; sent < SENDS; sent++) {
    const before = created
    expect((await fixture.send(agent, conversation, { role: 'AGENT', text: `fair ${sent}` })).code).toBeUndefined()
    counts.push(created - before)
  }
  return counts.toSorted((one, other) => one - other)
}

// What it costs in time: npm run bench -- --only fairness
it("a bot that creates as fast as it can goes before nobody's sends: a colleague's, a customer's, a center's", async () => {
  let isOver = false
  const creators = Array.from({ length: CREATORS }, async () => {
    while (!isOver) {
      const input = { contact: newContact(), messages: [{ role: 'CONTACT', text: 'hello' }] }
      if (!(await fixture.tryCreate(input, bot)).code) created += 1
    }
  })
  await until(() => created > CREATORS)
  const counts = await Promise.all(quiet.map(({ agent, conversation }) => overtakenBy(agent, conversation)))
  isOver = true
  await Promise.all(creators)
  expect(created).toBeGreaterThan(2 * CREATORS)
  // In the order of their arrival a send would be behind all of them.
  const medians = quiet.map(({ name }, index) => [name, counts[index]![SENDS >> 1]!] as const)
  process.stderr.write(`creates during a send, medians: ${medians.map((each) => each.join(' ')).join(', ')}\n`)
  for (const [, median] of medians) expect(median).toBeLessThan(CREATORS / 4)
})

const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'

it("a colleague's import waits for few of those that a bot has begun", async () => {
  const make = async (): Promise<{ id: string; origin: string }> => {
    const [into, from] = await Promise.all([1, 2].map(() => fixture.create({ contact: newContact() }, bot)))
    return { id: into!.id, origin: from!.id }
  }
  const pairs = await Promise.all(Array.from({ length: IMPORTS + 1 }, make))
  const [colleague] = quiet
  let imported = 0
  const begun = pairs.slice(1).map(async (pair) => {
    expect((await fixture.run(bot, IMPORT, pair)).code).toBeUndefined()
    imported += 1
  })
  await until(() => imported > 0)
  const before = imported
  expect((await fixture.run(colleague!.agent, IMPORT, pairs[0])).code).toBeUndefined()
  const during = imported - before
  await Promise.all(begun)
  expect(during).toBeLessThan(IMPORTS / 2)
})
