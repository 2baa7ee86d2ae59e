import type { Switchboard } from '@switchboard/client'
import { createBotUser, signIn } from '../accounts.js'
import {
  CREATE_CHANNEL,
  CREATE_FORM,
  CREATE_ORGANIZATION,
  CREATE_SERVICE,
  CREATE_USER,
  CREATE_WORKFLOW,
  UPDATE_ORGANIZATION,
} from '../documents.js'
import { holdConversations } from './conversations.js'

export interface Account {
  email: string
  role: string
  client: Switchboard
  id: string
}

export interface Office {
  accounts: Account[]
  password: string
  webService: string
}

/** Creates an office below the administrator's organization: a yard, its shop, and the people who work there. */
export async function createOffice(serverUrl: string, admin: { email: string; password: string }): Promise<Office> {
  const run = Date.now().toString(36).slice(-4)
  const owner = await signIn(serverUrl, admin.email, admin.password)
  const createOrganization = async (input: object): Promise<string> =>
    (await owner.request(CREATE_ORGANIZATION, { input })).createOrganization.id

  const yard = await createOrganization({
    name: `Harbour Boats ${run}`,
    displayName: 'Harbour Boats',
    country: 'NL',
    stopwords: ['guarantee', 'for free'],
    commands: ['>summary', '>translate'],
  })
  const shop = await createOrganization({ name: `Harbour Boats shop ${run}`, displayName: 'The shop', parent: yard })
  const { createForm: form } = await owner.request(CREATE_FORM, {
    input: {
      organization: yard,
      name: 'Your boat',
      fields: [
        { key: 'name', label: 'Name', type: 'TEXT', required: true },
        { key: 'length', label: 'Length in metres', type: 'NUMBER' },
      ],
    },
  })
  const categories = [
    { name: 'Engine', forms: [form.id] },
    { name: 'Winter berth' },
    { name: 'Hull' },
    { name: 'Invoice' },
  ]
  await owner.request(UPDATE_ORGANIZATION, { id: yard, patch: { categories } })

  const password = crypto.randomUUID().slice(0, 13)
  const person = async (displayName: string, role: string, organization = yard): Promise<Account> => {
    const email = `${displayName.split(' ')[0]!.toLowerCase()}.${run}@harbour.example`
    const input = { organization, email, displayName, role, password, status: 'ACTIVE', settings: SETTINGS }
    const { createUser } = await owner.request(CREATE_USER, { input })
    const client = await signIn(serverUrl, email, password)
    return { email, role: role.toLowerCase(), client, id: createUser.id }
  }
  const ann = await person('Ann de Vries', 'AGENT')
  const bob = await person('Bob Jansen', 'AGENT')
  const chidi = await person('Chidi Eze', 'AGENT', shop)
  const olga = await person('Olga Bakker', 'ADMIN')
  const bot = await createBotUser(serverUrl, owner, {
    organization: yard,
    email: `assistant.${run}@harbour.example`,
    displayName: 'Harbour assistant',
  })

  const channel = async (name: string, members: Account[], organization = yard): Promise<string> => {
    const input = { organization, name, members: members.map(({ id }) => ({ user: id })) }
    return (await owner.request(CREATE_CHANNEL, { input })).createChannel.id
  }
  const service = await channel('Service yard', [ann, bob, olga])
  const berths = await channel('Berths', [ann, olga])
  await channel('Shop', [chidi, bob], shop)
  await owner.request(CREATE_WORKFLOW, {
    input: { organization: yard, name: 'Who gets what', rules: rulesFor(service, berths) },
  })
  const { createService: web } = await owner.request(CREATE_SERVICE, {
    input: {
      organization: yard,
      name: 'harbourboats.example',
      type: 'web',
      params: { greeting: 'Welcome to Harbour Boats. What is it about?' },
    },
  })
  await holdConversations({ bot, organization: yard, ann, bob })
  return { accounts: [ann, bob, chidi, olga], password, webService: web.id }
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
