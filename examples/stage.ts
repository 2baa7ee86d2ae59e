import type { Client } from './client.js'
import { MAKE_CHANNEL, MAKE_ORGANIZATION, MAKE_USER, MAKE_WORKFLOW, SIGN_IN } from './documents.js'
import { done } from './terminal.js'

/** Seconds after which a conversation that nobody took is shown to the Front desk as well. */
export const OVERFLOW_SECONDS = 2

export interface Agent {
  id: string
  name: string
  email: string
  client: Client
}

/** Who and what takes part in one run of the story. */
export interface Stage {
  admin: Client
  /** What stands behind the web widget. */
  bot: Client
  ann: Agent
  bob: Agent
  /** Channels' names by id. */
  channels: Map<string, string>
  /** Of both agents. */
  password: string
}

/** An organization of its own for each run, so that the story can be told again on the same server. */
export async function setUpStage(server: Client, email: string, password: string): Promise<Stage> {
  const admin = await timed(`signed in as ${email}`, () => signIn(server, email, password))
  const run = Date.now().toString(36).slice(-5)
  const agentsPassword = crypto.randomUUID().slice(0, 13)
  const organization = await timed(`organization "Harbour Boats ${run}", below the administrator's`, async () => {
    const input = { name: `Harbour Boats ${run}`, country: 'NL' }
    return (await admin.send<{ createOrganization: { id: string } }>(MAKE_ORGANIZATION, { input })).createOrganization
      .id
  })

  type MadeUser = { id: string; email: string; apiToken: string }
  const makeUser = async (name: string, role: string, more: object = {}): Promise<MadeUser> => {
    const input = { organization, email: `${name.toLowerCase()}.${run}@demo.example`, givenName: name, role, ...more }
    return (await admin.send<{ createUser: MadeUser }>(MAKE_USER, { input })).createUser
  }
  const makeAgent = async (name: string): Promise<Agent> => {
    const made = await makeUser(name, 'AGENT', { password: agentsPassword })
    return { id: made.id, name, email: made.email, client: await signIn(server, made.email, agentsPassword) }
  }
  const [ann, bob] = await timed('agents Ann and Bob, each signed in', () => {
    return Promise.all([makeAgent('Ann'), makeAgent('Bob')])
  })
  const { apiToken } = await timed('bot Widget, with an API token', () => makeUser('Widget', 'BOT'))

  const channels = new Map<string, string>()
  const makeChannel = async (name: string, members: Agent[]): Promise<string> => {
    const input = { organization, name, members: members.map(({ id }) => ({ user: id })) }
    const { createChannel } = await admin.send<{ createChannel: { id: string } }>(MAKE_CHANNEL, { input })
    channels.set(createChannel.id, name)
    return createChannel.id
  }
  const sales = await timed('channel Sales: Ann and Bob', () => makeChannel('Sales', [ann, bob]))
  const frontDesk = await timed('channel Front desk: Bob', () => makeChannel('Front desk', [bob]))
  await timed(`workflow: "buyers" to Sales; "overflow" to Front desk after ${OVERFLOW_SECONDS} s`, () => {
    return admin.send(MAKE_WORKFLOW, { input: { organization, name: 'Routing', rules: rules(sales, frontDesk) } })
  })
  return { admin, bot: server.as(apiToken), ann, bob, channels, password: agentsPassword }
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

async function signIn(server: Client, email: string, password: string): Promise<Client> {
  const { createToken } = await server.send<{ createToken: { token: string } }>(SIGN_IN, { email, password })
  return server.as(createToken.token)
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  const result = await work()
  done(what, performance.now() - since)
  return result
}
