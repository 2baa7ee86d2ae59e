import { Api } from './api.js'
import { OWNER } from './world.js'

const PASSWORD = 'another horse battery'
const AGENTS = 4
const OFFERED = 3
const CONVERSATIONS = 24
/** Together with Support, enough channels that the log stores a shared event once. */
const TEAMS = 8

export interface Person {
  id: string
  api: Api
}

/** Those who take part: a bot that writes as the consumers, and agents who answer. */
export interface Stage {
  owner: Api
  bot: Person
  agents: Person[]
  /** Written to by all; each writer also makes its own. */
  conversations: string[]
  /** Watched by agents all the time. */
  watched: string[]
  /** A channel that offers, and its agents, who do nothing else. */
  offers: { channel: string; agents: Person[] }
}

/**
 * Made through the interfaces, as any client would.
 * @param answerMs after so long a request of theirs counts as not answered
 */
export async function setStage(url: string, answerMs?: number): Promise<Stage> {
  const owner = await signIn(url, OWNER.email, OWNER.password, answerMs)
  const make = <Value>(path: string, body: object) => owner.rest<Value>('POST', path, body, crypto.randomUUID())
  const { id, apiToken } = await make<{ id: string; apiToken: string }>('/users', {
    email: 'bot@example.com',
    role: 'bot',
  })
  const bot = { id, api: new Api(url, apiToken, answerMs) }
  const people = await Promise.all(
    Array.from({ length: AGENTS + OFFERED }, async (_, index) => {
      const email = `agent-${index}@example.com`
      const made = await make<{ id: string }>('/users', { email, role: 'agent', password: PASSWORD })
      return { id: made.id, api: await signIn(url, email, PASSWORD, answerMs) }
    }),
  )
  const [agents, offered] = [people.slice(0, AGENTS), people.slice(AGENTS)]
  const offering = await make<{ id: string }>('/channels', {
    name: 'Offers',
    members: offered.map((agent) => ({ user: agent.id })),
    assignment: { mode: 'offer', offerSeconds: 5 },
  })
  const channels = await Promise.all(
    ['Sales', 'Support'].map(async (name, index) => {
      // The second has half of the agents, so that they do not all see the same.
      const members = agents.filter((_, at) => index === 0 || at % 2 === 0).map((agent) => ({ user: agent.id }))
      return (await make<{ id: string }>('/channels', { name, members })).id
    }),
  )
  const teams = await Promise.all(
    Array.from({ length: TEAMS }, async (_, index) => {
      const members = index < 2 ? [{ user: agents[index]!.id }] : []
      return (await make<{ id: string }>('/channels', { name: `Team ${index + 1}`, members })).id
    }),
  )
  const rule = (name: string, notified: string[], delay: number) => ({
    conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: '.' }] },
    event: { type: 'notify', params: { name, channels: notified, delay } },
  })
  await make('/workflows', {
    name: 'Routing',
    rules: [rule('now', [channels[0]!], 0), rule('later', [channels[1]!, ...teams], 2)],
  })
  const conversations = await Promise.all(
    Array.from({ length: CONVERSATIONS }, (_, index) => createConversation(bot, `shared ${index}`)),
  )
  return { owner, bot, agents, conversations, watched: channels, offers: { channel: offering.id, agents: offered } }
}

/** Its first message is the key's own. @returns its id */
export async function createConversation(bot: Person, key: string): Promise<string> {
  const { id } = await bot.api.rest<{ id: string }>(
    'POST',
    '/conversations',
    {
      type: 'contact',
      touchpoint: 'web',
      contact: { profile: { name: `Consumer ${key}`, email: `${key.replaceAll(' ', '-')}@example.com` } },
      messages: [{ role: 'contact', text: `first of ${key}` }],
    },
    `create ${key}`,
  )
  return id
}

export async function signIn(url: string, email: string, password: string, answerMs?: number): Promise<Api> {
  const anyone = new Api(url, '', answerMs)
  const { token } = await anyone.rest<{ token: string }>(
    'POST',
    '/auth/token',
    { email, password },
    crypto.randomUUID(),
  )
  return new Api(url, token, answerMs)
}
