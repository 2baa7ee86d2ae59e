import type { Client } from '../client.js'
import { talk } from './conversations.js'

export interface Account {
  email: string
  role: string
  client: Client
  id: string
}

export interface Office {
  accounts: Account[]
  password: string
  webService: string
}

const SIGN_IN =
  'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token } }'
const make = (type: string, more = ''): string =>
  `mutation ($input: Create${type}Input!) { create${type}(input: $input) { id ${more} } }`

/** Makes an office below the administrator's organization: a yard, its shop, and who works there. */
export async function makeOffice(server: Client, admin: { email: string; password: string }): Promise<Office> {
  const run = Date.now().toString(36).slice(-4)
  const owner = server.as((await server.send<{ createToken: { token: string } }>(SIGN_IN, admin)).createToken.token)
  const create = async (type: string, input: object, more = ''): Promise<{ id: string; [field: string]: string }> => {
    const answer = await owner.send<Record<string, { id: string; [field: string]: string }>>(make(type, more), {
      input,
    })
    return answer[`create${type}`]
  }

  const yard = await create('Organization', {
    name: `Harbour Boats ${run}`,
    displayName: 'Harbour Boats',
    country: 'NL',
    stopwords: ['guarantee', 'for free'],
    commands: ['>summary', '>translate'],
  })
  const shop = await create('Organization', {
    name: `Harbour Boats shop ${run}`,
    displayName: 'The shop',
    parent: yard.id,
  })
  const form = await create('Form', {
    organization: yard.id,
    name: 'Your boat',
    fields: [
      { key: 'name', label: 'Name', type: 'TEXT', required: true },
      { key: 'length', label: 'Length in metres', type: 'NUMBER' },
    ],
  })
  await owner.send(
    'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }',
    {
      id: yard.id,
      patch: {
        categories: [
          { name: 'Engine', forms: [form.id] },
          { name: 'Winter berth' },
          { name: 'Hull' },
          { name: 'Invoice' },
        ],
      },
    },
  )

  const password = crypto.randomUUID().slice(0, 13)
  const person = async (displayName: string, role: string, organization = yard.id): Promise<Account> => {
    const email = `${displayName.split(' ')[0]!.toLowerCase()}.${run}@harbour.example`
    const { id } = await create('User', {
      organization,
      email,
      displayName,
      role,
      password,
      status: 'ACTIVE',
      settings: SETTINGS,
    })
    const { createToken } = await server.send<{ createToken: { token: string } }>(SIGN_IN, { email, password })
    return { email, role: role.toLowerCase(), client: server.as(createToken.token), id }
  }
  const people = [
    await person('Ann de Vries', 'AGENT'),
    await person('Bob Jansen', 'AGENT'),
    await person('Chidi Eze', 'AGENT', shop.id),
  ]
  const boss = await person('Olga Bakker', 'ADMIN')
  const { apiToken } = await create(
    'User',
    { organization: yard.id, email: `assistant.${run}@harbour.example`, displayName: 'Harbour assistant', role: 'BOT' },
    'apiToken',
  )

  const channel = async (name: string, members: Account[], organization = yard.id): Promise<string> =>
    (await create('Channel', { organization, name, members: members.map(({ id }) => ({ user: id })) })).id
  const [ann, bob, chidi] = people as [Account, Account, Account]
  const service = await channel('Service yard', [ann, bob, boss])
  const berths = await channel('Berths', [ann, boss])
  await channel('Shop', [chidi, bob], shop.id)
  await create('Workflow', { organization: yard.id, name: 'Who gets what', rules: rulesFor(service, berths) })
  const web = await create('Service', {
    organization: yard.id,
    name: 'harbourboats.example',
    type: 'web',
    params: { greeting: 'Welcome to Harbour Boats. What is it about?' },
  })
  await talk({ bot: server.as(apiToken!), organization: yard.id, ann, bob })
  return { accounts: [ann, bob, chidi, boss], password, webService: web.id }
}

const SETTINGS = {
  cannedResponses: [
    'Lift-outs run Tuesday to Friday, 08:00 to 16:00. Which day suits you?',
    'Dear {{ givenName }}, please stop the engine, let it cool for 20 minutes and check the sea water inlet.',
    'We are open Monday to Saturday, 08:00 to 18:00, the fuel dock until 20:00.',
  ],
}

function rulesFor(service: string, berths: string): object[] {
  const text = (value: string): object => ({ fact: 'message', path: '.text', operator: 'match', value })
  return [
    {
      priority: 3,
      conditions: {
        any: [
          text('(?i)engine|alarm|rpm|impeller'),
          { fact: 'conversation', path: '.category', operator: 'equal', value: 'Engine' },
        ],
      },
      event: { type: 'notify', params: { name: 'Engine trouble', channels: [service] } },
    },
    {
      priority: 2,
      conditions: { all: [text('(?i)berth|mooring|winter')] },
      event: { type: 'notify', params: { name: 'Berths', channels: [berths], isLastRule: true } },
    },
    {
      priority: 1,
      conditions: { all: [{ fact: 'organization', path: '.country', operator: 'equal', value: 'NL' }] },
      event: { type: 'notify', params: { name: 'Everything else', channels: [service] } },
    },
  ]
}
