import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { governing } from '../bots/governed-bot.js'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { recordStatements } from '../support/record-statements.js'
import { FarSide } from './test-provider.js'

const HOUR_MS = 3_600_000
/** A provider with two windows: a day for machines, two for people. */
const WINDOW = { machinesMs: 24 * HOUR_MS, peopleMs: 48 * HOUR_MS }
const FORMATS = { textCharsMax: 100, splitsText: true, html: false, buttonsMax: 3, fileBytesMax: 1_000 }
const ROUTES = `touchpoint service { id name type } provider openUntil needsTemplate takesTemplates problem reason
  formats { textCharsMax splitsText html buttonsMax fileBytesMax }`

interface Route {
  touchpoint: string
  service: { id: string; name: string | null; type: string } | null
  provider: string | null
  openUntil: string | null
  needsTemplate: boolean
  takesTemplates: boolean
  problem: string | null
  reason: string | null
  formats: object | null
}

const far = new FarSide()
let fixture: ConversationFixture
let services: Record<'pigeon' | 'messenger' | 'email' | 'sms', string>

beforeAll(async () => {
  const withTemplates = { fetchTemplates: async () => [], provider: 'Pigeon', formats: FORMATS }
  const touchpoints = {
    ...far.touchpoints,
    messenger: far.provider('messenger', 'messenger', WINDOW),
    pigeon: far.provider('messenger', 'pigeon', WINDOW, withTemplates),
  }
  fixture = await startConversationFixture({}, { touchpoints })
  services = {
    pigeon: await make('pigeon'),
    messenger: await make('messenger'),
    email: await make('email'),
    sms: await make('sms'),
  }
})
afterAll(() => fixture.close())

async function make(type: string): Promise<string> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type, name: `the ${type}` } },
  )
  return value.id
}

let said = 0

/** A message of somebody at a provider of the messenger. */
async function write(handle: string, hoursAgo: number, type: 'pigeon' | 'messenger' = 'pigeon', known: object = {}) {
  const received = await far.say(
    { id: services[type], type },
    {
      providerId: `said-${++said}`,
      from: { handle, ...known },
      sentAt: new Date(fixture.clock.now().getTime() - hoursAgo * HOUR_MS),
      message: { text: `from ${handle}` },
    },
  )
  if (!('message' in received)) throw new Error(received.ignored)
  return received.conversation
}

async function routesOf(id: string, as: MadeUser | string = fixture.ann): Promise<Route[]> {
  const query = `query ($id: ID!) { conversation(id: $id) { routes { ${ROUTES} } } }`
  const { data, errors } = await fixture.gql(as, query, { id })
  if (errors) throw new Error(errors[0]!.message)
  return data.conversation.routes
}

const inShort = (routes: Route[]): string[] =>
  routes.map(({ service, problem }) => [service?.type ?? 'web', problem].filter(Boolean).join(' '))

/** The way that an answer without any wish takes. */
async function wayOfAnswer(conversation: string, as = fixture.ann): Promise<{ serviceId: string; status: string }> {
  const sent = await fixture.send(as, conversation, { role: 'AGENT', text: 'An answer' })
  const query = 'query ($id: ID!) { message(id: $id) { deliveries { serviceId status code } } }'
  const { data } = await fixture.gql(fixture.admin, query, { id: sent.value.id })
  return data.message.deliveries[0]
}

async function setService(id: string, status: 'ACTIVE' | 'INACTIVE'): Promise<void> {
  const { code } = await fixture.run(
    fixture.admin,
    'mutation ($id: ID!, $status: ServiceStatus!) { updateService(id: $id, patch: { status: $status }) { id } }',
    { id, status },
  )
  expect(code).toBeUndefined()
}

describe('the routes of a conversation', () => {
  it('come in the order in which delivery tries them: the first without a problem is taken', async () => {
    const conversation = await write('open', 1, 'pigeon', { email: 'open@example.com' })
    const routes = await routesOf(conversation)
    expect(inShort(routes)).toEqual(['pigeon', 'messenger NO_ADDRESS', 'email', 'sms NO_ADDRESS'])
    expect(routes[0]).toMatchObject({
      touchpoint: 'MESSENGER',
      service: { id: services.pigeon, name: 'the pigeon', type: 'pigeon' },
      provider: 'Pigeon',
      needsTemplate: false,
      takesTemplates: true,
      problem: null,
      reason: null,
      formats: FORMATS,
    })
    const hoursLeft = (Date.parse(routes[0]!.openUntil!) - fixture.clock.now().getTime()) / HOUR_MS
    expect(Math.round(hoursLeft)).toBe(47)
    expect(await wayOfAnswer(conversation)).toMatchObject({ serviceId: services.pigeon })
    await fixture.send(fixture.ann, conversation, { type: 'COMMAND', text: '/set @touchpoint email' })
    const chosen = await routesOf(conversation)
    expect(inShort(chosen)).toEqual(['email', 'pigeon', 'messenger NO_ADDRESS', 'sms NO_ADDRESS'])
    expect(await wayOfAnswer(conversation)).toMatchObject({ serviceId: services.email })
  })

  it('need a template once the window is closed, and none when the consumer has written again', async () => {
    const conversation = await write('late', 49, 'pigeon', { email: 'late@example.com' })
    const [closed, ...others] = await routesOf(conversation)
    expect(closed).toMatchObject({ problem: 'WINDOW_CLOSED', needsTemplate: true, takesTemplates: true })
    expect(Date.parse(closed!.openUntil!)).toBeLessThan(fixture.clock.now().getTime())
    expect(closed!.reason).toMatch(/takes no answers since/)
    expect(others.find(({ problem }) => problem === null)!.service!.id).toBe(services.email)
    expect(await wayOfAnswer(conversation)).toMatchObject({ serviceId: services.email })
    await write('late', 0)
    expect((await routesOf(conversation))[0]).toMatchObject({ problem: null, needsTemplate: false })
  })

  it('say no more than that of a provider without templates', async () => {
    const conversation = await write('untold', 49, 'messenger')
    expect((await routesOf(conversation))[0]).toMatchObject({
      service: { id: services.messenger },
      provider: null,
      formats: null,
      problem: 'WINDOW_CLOSED',
      needsTemplate: false,
      takesTemplates: false,
    })
  })

  it('offer a template to whoever is only known by telephone', async () => {
    const input = { contact: { profile: { name: 'Carl', telephone: '+31612000001' } }, touchpoint: 'MESSENGER' }
    const { id } = await fixture.create(input)
    const routes = await routesOf(id)
    expect(inShort(routes)).toEqual(['pigeon NO_ADDRESS', 'messenger NO_ADDRESS', 'email NO_ADDRESS', 'sms'])
    expect(routes.map(({ needsTemplate }) => needsTemplate)).toEqual([true, false, false, false])
  })

  it('name who has blocked a service, and skip it', async () => {
    const conversation = await write('blocker', 0, 'pigeon', { email: 'blocker@example.com' })
    await fixture.server.database.query(`update contact_handle set blocked_at = now() where address = 'blocker'`)
    const [blocked] = await routesOf(conversation)
    expect(blocked).toMatchObject({ problem: 'BLOCKED', needsTemplate: false, takesTemplates: false })
    expect(await wayOfAnswer(conversation)).toMatchObject({ serviceId: services.email })
  })

  it('name who has opted out, as delivery does before anything is handed over', async () => {
    const profile = { name: 'Carl', telephone: '+31612000002', email: 'optedout@example.com' }
    const { id } = await fixture.create({ contact: { profile }, touchpoint: 'SMS' })
    expect(inShort(await routesOf(id))[0]).toBe('sms')
    await fixture.server.database.query(
      'insert into opt_out (service_id, address, opted_out_at) values ($1, erased_name($2), now())',
      [services.sms, profile.telephone],
    )
    expect(inShort(await routesOf(id))).toEqual(['sms OPTED_OUT', 'pigeon NO_ADDRESS', 'messenger NO_ADDRESS', 'email'])
    expect(await wayOfAnswer(id)).toMatchObject({ serviceId: services.email })
    const named = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'By SMS', touchpoint: 'SMS' })
    const query = 'query ($id: ID!) { message(id: $id) { deliveries { status code attempts } } }'
    const { data } = await fixture.gql(fixture.admin, query, { id: named.value.id })
    expect(data.message.deliveries).toEqual([{ status: 'FAILED', code: 'BLOCKED', attempts: 0 }])
  })

  it('end with the services that the consumer has used and that are switched off', async () => {
    const conversation = await write('off', 1, 'messenger')
    await setService(services.messenger, 'INACTIVE')
    const routes = await routesOf(conversation)
    await setService(services.messenger, 'ACTIVE')
    expect(routes.at(-1)).toMatchObject({
      service: { id: services.messenger },
      problem: 'SERVICE_INACTIVE',
      takesTemplates: false,
    })
    expect(inShort(routes)).toEqual([
      'pigeon NO_ADDRESS',
      'email NO_ADDRESS',
      'sms NO_ADDRESS',
      'messenger SERVICE_INACTIVE',
    ])
  })

  it('close to a bot when the provider closes to machines', async () => {
    const conversation = await write('both', 25)
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    expect((await routesOf(conversation, bot))[0]).toMatchObject({ problem: 'WINDOW_CLOSED', needsTemplate: true })
    expect((await routesOf(conversation))[0]).toMatchObject({ problem: null })
  })

  it('are those of the conversation into which another was merged, which has none any more', async () => {
    const origin = await write('merged', 1, 'messenger')
    const target = await write('into', 1)
    const merged = await fixture.command(fixture.admin, target, `/import ${origin}`)
    expect(merged.code).toBeUndefined()
    expect(await routesOf(origin)).toEqual([])
    expect(inShort(await routesOf(target))[0]).toBe('pigeon')
  })
})

describe('who sees them', () => {
  it('are agents of the conversation: no consumer, no bot from which contacts are kept, no other customer', async () => {
    const conversation = await write('seen', 1)
    const token = await fixture.gql(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id: conversation },
    )
    expect(await routesOf(conversation, token.data.createGuestToken.token)).toEqual([])
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    expect(inShort(await routesOf(conversation, bot))[0]).toBe('pigeon')
    await must(governing(fixture).govern(bot, [{ action: 'READ_CONTACT', mode: 'NONE' }]))
    expect(await routesOf(conversation, bot)).toEqual([])
    const customer = await fixture.makeOrganization({ name: 'Another customer', parent: fixture.organization })
    const stranger = await fixture.makeUser({ organization: customer, role: 'agent' })
    const { data, errors } = await fixture.gql(
      stranger,
      'query ($id: ID!) { conversation(id: $id) { routes { touchpoint } } }',
      { id: conversation },
    )
    expect(data.conversation).toBeNull()
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  })

  it('pays for a page of conversations with as many statements as for one', async () => {
    for (const handle of ['a', 'b', 'c', 'd']) await write(`page-${handle}`, 1)
    const query =
      'query ($first: Int!) { conversations(first: $first) { edges { node { routes { touchpoint problem } } } } }'
    const count = async (first: number): Promise<number> => {
      const recorded = recordStatements()
      const { data } = await fixture.gql(fixture.ann, query, { first })
      recorded.stop()
      expect(data.conversations.edges).toHaveLength(first)
      expect(
        data.conversations.edges.every(({ node }: { node: { routes: unknown[] } }) => node.routes.length > 0),
      ).toBe(true)
      return recorded.statements.filter((text) => /from conversation c/.test(text)).length
    }
    expect(await count(5)).toBe(await count(1))
  })
})
