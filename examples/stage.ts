import type { Switchboard } from '@switchboard/client'
import { createBotUser, signIn } from './accounts.js'
import { CREATE_CHANNEL, CREATE_ORGANIZATION, CREATE_USER, CREATE_WORKFLOW } from './documents.js'
import { done } from './terminal.js'

/** Seconds after which a conversation that nobody accepted is shown to the Front desk as well. */
export const OVERFLOW_SECONDS = 2

export interface Agent {
  id: string
  name: string
  email: string
  client: Switchboard
}

/** People and things that take part in one run of the story. */
export interface Stage {
  organization: string
  admin: Switchboard
  /** The backend of the web widget. */
  bot: Switchboard
  ann: Agent
  bob: Agent
  /** Channels' names by id. */
  channels: Map<string, string>
  /** Password of both agents. */
  password: string
}

/** Creates an organization for each run, so that the story can be told again on the same server. */
export async function setUpStage(serverUrl: string, email: string, password: string): Promise<Stage> {
  const admin = await timed(`signed in as ${email}`, () => signIn(serverUrl, email, password))
  const run = Date.now().toString(36).slice(-5)
  const agentsPassword = crypto.randomUUID().slice(0, 13)
  const organization = await timed(`organization "Harbour Boats ${run}", below the administrator's`, async () => {
    const input = { name: `Harbour Boats ${run}`, country: 'NL' }
    return (await admin.request(CREATE_ORGANIZATION, { input })).createOrganization.id
  })

  const person = (name: string): object => {
    return { organization, email: `${name.toLowerCase()}.${run}@demo.example`, givenName: name }
  }
  const createAgent = async (name: string): Promise<Agent> => {
    const input = { ...person(name), role: 'AGENT', password: agentsPassword }
    const { createUser } = await admin.request(CREATE_USER, { input })
    const client = await signIn(serverUrl, createUser.email, agentsPassword)
    return { id: createUser.id, name, email: createUser.email, client }
  }
  const [ann, bob] = await timed('agents Ann and Bob, each signed in', () => {
    return Promise.all([createAgent('Ann'), createAgent('Bob')])
  })
  const bot = await timed('bot Widget, with an API token', () => createBotUser(serverUrl, admin, person('Widget')))

  const channels = new Map<string, string>()
  const createChannel = async (name: string, members: Agent[]): Promise<string> => {
    const input = { organization, name, members: members.map(({ id }) => ({ user: id })) }
    const { id } = (await admin.request(CREATE_CHANNEL, { input })).createChannel
    channels.set(id, name)
    return id
  }
  const sales = await timed('channel Sales: Ann and Bob', () => createChannel('Sales', [ann, bob]))
  const frontDesk = await timed('channel Front desk: Bob', () => createChannel('Front desk', [bob]))
  await timed(`workflow: "buyers" to Sales; "overflow" to Front desk after ${OVERFLOW_SECONDS} s`, () => {
    return admin.request(CREATE_WORKFLOW, { input: { organization, name: 'Routing', rules: rules(sales, frontDesk) } })
  })
  return { organization, admin, bot, ann, bob, channels, password: agentsPassword }
}

function rules(sales: string, frontDesk: string): object[] {
  return [
    {
      conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: '(?i)boat|yacht' }] },
      event: { type: 'notify', params: { name: 'buyers', channels: [sales] } },
    },
    {
      conditions: { all: [{ fact: 'organization', path: '.country', operator: 'equal', value: 'NL' }] },
      event: { type: 'notify', params: { name: 'overflow', channels: [frontDesk], delay: OVERFLOW_SECONDS } },
    },
  ]
}

async function timed<T>(step: string, run: () => Promise<T>): Promise<T> {
  const since = performance.now()
  const result = await run()
  done(step, performance.now() - since)
  return result
}
