import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture } from '../provider-fixture.js'
import { bodyOf, errorOf, NUMBER, startCloudApi, type CloudApi } from './cloud-api.js'

let fixture: ProviderFixture
let cloud: CloudApi
let service: string
let templates: Record<string, Template>
let people = 0

interface Template {
  id: string
  name: string
  status: string
  variables: string[]
  reason: string | null
}

const listed = (name: string, more: object = {}): object => ({
  id: `9${name.length}${name.charCodeAt(0)}`,
  name,
  language: 'nl',
  category: 'UTILITY',
  status: 'APPROVED',
  quality_score: { score: 'GREEN' },
  components: [{ type: 'BODY', text: 'Hello {{1}}, your boat is ready on {{2}}.' }],
  ...more,
})

beforeAll(async () => {
  fixture = await startProviderFixture()
  cloud = await startCloudApi()
  cloud.templates.push(
    listed('ready'),
    listed('named', {
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Boat {{boat}}' },
        { type: 'BODY', text: 'Dear {{customer_name}}, boat {{boat}} is ready.', example: {} },
        { type: 'FOOTER', text: 'Harbour Boats' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Thanks' }] },
      ],
    }),
    listed('pictured', {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Look.' },
      ],
    }),
    listed('refused', { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' }),
    listed('of next year', { status: 'LIMBO' }),
    listed('with a code', {
      components: [
        { type: 'BODY', text: 'x' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', url: 'https://x.example/{{1}}' }] },
      ],
    }),
    listed('plain', { components: [{ type: 'BODY', text: 'Hello.' }] }),
    listed('pausable'),
  )
  service = await fixture.makeService('whatsapp', { ...NUMBER, apiUrl: cloud.url })
  templates = await until(async () => {
    const found = await list()
    return found.length === cloud.templates.length && Object.fromEntries(found.map((each) => [each.name, each]))
  })
})
afterAll(async () => {
  await fixture.app.close()
  await cloud.close()
})

async function list(args = '', as = fixture.agent): Promise<Template[]> {
  const { data, errors } = await fixture.app.gql(
    as,
    `query ($service: ID!) { templates(service: $service${args}) { id name status variables reason body header } }`,
    { service },
  )
  if (errors) throw new Error(errors[0]!.message)
  return data.templates
}

/** A conversation with somebody of whom only the telephone number is known. */
async function unknown(as = fixture.agent): Promise<{ id: string; phone: string }> {
  const phone = `316${String(20_000_000 + ++people)}`
  const { data, errors } = await fixture.app.gql(
    as,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
    {
      input: {
        type: 'CONTACT',
        touchpoint: 'MESSENGER',
        contact: { profile: { name: 'Carl', telephone: `+${phone}` } },
      },
    },
  )
  expect(errors).toBeUndefined()
  return { id: data.createConversation.id, phone }
}

async function send(conversation: string, message: object, as = fixture.agent) {
  return fixture.app.gql<{ sendMessage: { id: string; text: string } }>(
    as,
    'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id text } }',
    { id: conversation, message: { role: 'AGENT', ...message } },
  )
}

describe('the templates of a service', () => {
  it('are fetched when it is made, whole, and listed for agents', async () => {
    expect(templates.ready).toMatchObject({ status: 'APPROVED', variables: ['1', '2'], reason: null })
    expect(templates.named!.variables).toEqual(['boat', 'customer_name'])
    expect(templates.refused).toMatchObject({ status: 'REJECTED', reason: 'INVALID_FORMAT' })
    expect(templates['of next year']!.status).toBe('OTHER')
    expect((await list(', status: APPROVED, search: "DEAR"')).map(({ name }) => name)).toEqual(['named'])
  })

  it('are the same in /v2, with the same filters', async () => {
    const at = (query = '', as = fixture.agent, id = service) =>
      fixture.app.rest(as, 'GET', `/v2/services/${id}/templates${query}`)
    const { status, body } = await at('?status=approved&search=DEAR')
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: templates.named!.id,
        service,
        name: 'named',
        language: 'nl',
        category: 'UTILITY',
        status: 'approved',
        quality: 'GREEN',
        header: 'TEXT',
        headerText: 'Boat {{boat}}',
        body: 'Dear {{customer_name}}, boat {{boat}} is ready.',
        footer: 'Harbour Boats',
        buttons: ['Thanks'],
        variables: ['boat', 'customer_name'],
        isSendable: true,
        syncedAt: expect.any(String),
      },
    ])
    expect((await at('?limit=2')).body).toHaveLength(2)
    const unsendable = (await at()).body.filter((each: { isSendable: boolean }) => !each.isSendable)
    expect(unsendable.map(({ name }: Template) => name)).toEqual(['of next year', 'refused', 'with a code'])
    expect((await at('?status=lost')).status).toBe(400)
    const other = await fixture.app.makeOrganization({ name: 'Elsewhere' })
    const stranger = await fixture.app.makeUser({ organization: other, role: 'agent' })
    expect((await at('', stranger)).status).toBe(404)
  })

  it('are fetched again when an administrator asks: changed, added and gone', async () => {
    const plain = cloud.templates.findIndex((each) => (each as Template).name === 'plain')
    cloud.templates.splice(plain, 1, listed('added'))
    const asked = (as = fixture.admin) =>
      fixture.app.gql(as, 'mutation ($id: ID!) { syncTemplates(service: $id) }', { id: service })
    expect((await asked(fixture.agent)).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await asked()).data).toEqual({ syncTemplates: true })
    const names = await until(async () => {
      const found = (await list()).map(({ name }) => name)
      return found.includes('added') && found
    })
    expect(names).not.toContain('plain')
    expect((await list()).find(({ name }) => name === 'ready')!.id).toBe(templates.ready!.id)
  })

  it("take the platform's word on a state at once", async () => {
    const event = {
      event: 'PAUSED',
      message_template_name: 'added',
      message_template_language: 'nl',
      reason: 'it was blocked',
    }
    const body = bodyOf(event, 'message_template_status_update')
    expect(await cloud.call(fixture.hook('whatsapp', service).url, body)).toBe(200)
    await until(async () => (await list()).find(({ name }) => name === 'added')!.status === 'PAUSED')
  })
})

describe('a message of a template', () => {
  it('reaches somebody who has never written, with its values, and is stored as it reads', async () => {
    const { id, phone } = await unknown()
    const values = { boat: 'Zephyr', customer_name: 'Carl' }
    const { data, errors } = await send(id, { template: { id: templates.named!.id, values } })
    expect(errors).toBeUndefined()
    expect(data.sendMessage.text).toBe('Boat Zephyr\n\nDear Carl, boat Zephyr is ready.\n\nHarbour Boats')
    await fixture.becomes(data.sendMessage.id, 'sent')
    expect(cloud.sent.filter(({ to }) => to === phone)).toMatchObject([
      {
        type: 'template',
        template: {
          name: 'named',
          language: { code: 'nl' },
          components: [
            { type: 'header', parameters: [{ type: 'text', parameter_name: 'boat', text: 'Zephyr' }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', parameter_name: 'customer_name', text: 'Carl' },
                { type: 'text', parameter_name: 'boat', text: 'Zephyr' },
              ],
            },
          ],
        },
      },
    ])
    // Words of one's own do not reach who has not written.
    const { data: own } = await send(id, { text: 'Hello', service })
    expect((await fixture.becomes(own.sendMessage.id, 'failed')).reason).toMatch(/not known by messenger/)
  })

  it('that a bot proposes says what it will say, and is approved while it says so', async () => {
    const bot = await fixture.app.makeUser({ organization: fixture.organization, role: 'bot' })
    const { id, phone } = await unknown()
    const seen = await fixture.app.gql(fixture.agent, 'query ($id: ID!) { conversation(id: $id) { mark } }', { id })
    cloud.templates.push(listed('offer', { components: [{ type: 'BODY', text: 'It costs 10.' }] }))
    const sync = async (body: string): Promise<Template> => {
      await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { syncTemplates(service: $id) }', { id: service })
      return until(async () => (await list(`, search: "${body}"`)).find(({ name }) => name === 'offer'))
    }
    const { id: template } = await sync('costs 10')
    const propose = `mutation ($id: ID!, $message: MessageInput!) {
      propose(conversation: $id, message: $message) { id hash text } }`
    const message = { role: 'AGENT', template: { id: template, values: {} }, mark: seen.data.conversation.mark }
    const proposed = await fixture.app.gql(bot, propose, { id, message })
    expect(proposed.errors).toBeUndefined()
    const { text, ...proposal } = proposed.data.propose
    expect(text).toBe('It costs 10.')
    const approve = 'mutation ($id: ID!, $hash: String!) { approveProposal(proposal: $id, hash: $hash) { messageId } }'
    cloud.templates.splice(-1, 1, listed('offer', { components: [{ type: 'BODY', text: 'It costs 99.' }] }))
    await sync('costs 99')
    const refused = await fixture.app.gql(fixture.agent, approve, proposal)
    expect(refused.errors?.[0]?.extensions.reason).toBe('HASH_DIFFERS')
    cloud.templates.splice(-1, 1, listed('offer', { components: [{ type: 'BODY', text: 'It costs 10.' }] }))
    await sync('costs 10')
    const approved = await fixture.app.gql(fixture.agent, approve, proposal)
    expect(approved.errors).toBeUndefined()
    await fixture.becomes(approved.data.approveProposal.messageId, 'sent')
    expect(cloud.sent.filter(({ to }) => to === phone)).toHaveLength(1)
    cloud.templates.pop()
  })

  it('gives numbered values by their place, and a file to its header', async () => {
    const { id, phone } = await unknown()
    const numbered = await send(id, { template: { id: templates.ready!.id, values: { 2: 'Monday', 1: 'Carl' } } })
    await fixture.becomes(numbered.data.sendMessage.id, 'sent')
    const pictured = await send(id, { template: { id: templates.pictured!.id, header: 'https://x.example/boat.png' } })
    await fixture.becomes(pictured.data.sendMessage.id, 'sent')
    expect(cloud.sent.filter(({ to }) => to === phone).map(({ template }) => template.components)).toEqual([
      [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Carl' },
            { type: 'text', text: 'Monday' },
          ],
        },
      ],
      [{ type: 'header', parameters: [{ type: 'image', image: { link: 'https://x.example/boat.png' } }] }],
    ])
  })

  it.each<[string, (of: typeof templates) => object, string, string]>([
    ['an unknown one', () => ({ id: '0198aaaa-bbbb-7ccc-8ddd-eeeeffff0001' }), 'NOT_FOUND', 'template.id'],
    ['no id', () => ({ id: 'ready' }), 'BAD_USER_INPUT', 'template.id'],
    ['a missing value', ({ ready }) => ({ id: ready!.id, values: { 1: 'x' } }), 'BAD_USER_INPUT', 'template.values.2'],
    [
      'a surplus value',
      ({ ready }) => ({ id: ready!.id, values: { 1: 'x', 2: 'y', 3: 'z' } }),
      'BAD_USER_INPUT',
      'template.values.3',
    ],
    [
      'an empty value',
      ({ ready }) => ({ id: ready!.id, values: { 1: '', 2: 'y' } }),
      'BAD_USER_INPUT',
      'template.values.1',
    ],
    [
      'a blank value',
      ({ ready }) => ({ id: ready!.id, values: { 1: '  ', 2: 'y' } }),
      'BAD_USER_INPUT',
      'template.values.1',
    ],
    [
      'a line end',
      ({ ready }) => ({ id: ready!.id, values: { 1: 'a\nb', 2: 'y' } }),
      'BAD_USER_INPUT',
      'template.values.1',
    ],
    ['a number', ({ ready }) => ({ id: ready!.id, values: { 1: 7, 2: 'y' } }), 'BAD_USER_INPUT', 'template.values.1'],
    ['no file', ({ pictured }) => ({ id: pictured!.id }), 'BAD_USER_INPUT', 'template.header'],
    [
      'a file that is not shown',
      ({ ready }) => ({ id: ready!.id, values: { 1: 'x', 2: 'y' }, header: 'https://x.example' }),
      'BAD_USER_INPUT',
      'template.header',
    ],
    [
      'one that is not approved',
      ({ refused }) => ({ id: refused!.id, values: { 1: 'x', 2: 'y' } }),
      'TEMPLATE_NOT_APPROVED',
      '',
    ],
    ['one with more than values', (of) => ({ id: of['with a code']!.id }), 'TEMPLATE_NOT_APPROVED', ''],
  ])('is refused with %s', async (_, template, expected, field) => {
    const { id } = await unknown()
    const { errors } = await send(id, { template: template(templates) })
    const { code, reason, field: at } = errors![0]!.extensions
    expect([code, reason]).toContain(expected)
    if (field) expect(at).toBe(field)
  })

  it.each<[string, object]>([
    ['text', { text: 'more' }],
    ['role', { role: 'BOT' }],
    ['isBackchannel', { isBackchannel: true }],
    ['actions', { actions: [{ type: 'REPLY', text: 'a', payload: 'a' }] }],
    ['type', { type: 'CARD' }],
  ])('has no %s of its own', async (field, more) => {
    const { id } = await unknown()
    const template = { id: templates.ready!.id, values: { 1: 'x', 2: 'y' } }
    const { errors } = await send(id, { template, ...more })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  })

  it('of another service than the one that is named is refused, and one of another contact center is not found', async () => {
    const { id } = await unknown()
    const other = await fixture.makeService('whatsapp', {
      ...NUMBER,
      phoneNumberId: '5',
      wabaId: null,
      apiUrl: cloud.url,
    })
    const template = { id: templates.ready!.id, values: { 1: 'x', 2: 'y' } }
    const { errors } = await send(id, { template, service: other })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'template.id' })
    const { owner } = await fixture.app.makeContactCenter({ name: 'Elsewhere' })
    await expect(list('', owner)).rejects.toThrow(/not found/)
    const stranger = await fixture.app.makeUser({ organization: await fixture.app.makeOrganization({ name: 'Far' }) })
    const foreign = await send((await unknown(stranger)).id, { template }, stranger)
    expect(foreign.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'template.id' })
  })

  it('that the platform has paused fails, and is paused from then on', async () => {
    const { id } = await unknown()
    cloud.faults.push(errorOf(132_015, 'Template is paused due to low quality'))
    const template = { id: templates.pausable!.id, values: { 1: 'x', 2: 'y' } }
    const { data } = await send(id, { template })
    expect((await fixture.becomes(data.sendMessage.id, 'failed')).reason).toMatch(/132015/)
    await until(async () => (await list()).find(({ name }) => name === 'pausable')!.status === 'PAUSED')
    expect((await send(id, { template })).errors?.[0]?.extensions.reason).toBe('TEMPLATE_NOT_APPROVED')
  })

  it('is sent once, however often the same message is sent', async () => {
    const { id, phone } = await unknown()
    const message = {
      id: fixture.app.clock.newId(),
      template: { id: templates.ready!.id, values: { 1: 'Once', 2: 'only' } },
    }
    const sent = await Promise.all([1, 2, 3].map(() => send(id, message)))
    expect(new Set(sent.map(({ data }) => data?.sendMessage.id)).size).toBe(1)
    await fixture.becomes(message.id, 'sent')
    expect(cloud.sent.filter(({ to }) => to === phone)).toHaveLength(1)
  })
})
