import type { Switchboard, TypedDocument } from '@switchboard/client'
import { CREATE_CHANNEL, CREATE_ORGANIZATION, CREATE_SERVICE, CREATE_USER, UPDATE_ORGANIZATION } from '../documents.js'

const SET_GRANTS = `mutation ($bot: ID!, $grants: [BotGrantInput!]!) {
  setBotGrants(bot: $bot, grants: $grants) { id }
}` as TypedDocument<{ setBotGrants: { id: string } }, { bot: string; grants: object[] }>

const CREATE_ARTICLE = `mutation ($input: CreateArticleInput!) {
  createArticle(input: $input) { id }
}` as TypedDocument<{ createArticle: { id: string } }, { input: object }>

const isAbout = (words: string): object => ({
  all: [{ fact: 'message', path: '.text', operator: 'match', value: `(?i)${words}` }],
})

/** Rights of the agent: the first line of an action whose conditions hold decides, and without one it may not. */
const GRANTS = [
  { action: 'REPLY', mode: 'APPROVE', conditions: isAbout('refund|invoice|money') },
  { action: 'REPLY', mode: 'ACT' },
  { action: 'SET', mode: 'APPROVE' },
  { action: 'NOTE', mode: 'ACT' },
  { action: 'HAND_OVER', mode: 'ACT' },
]

const ARTICLES = [
  {
    title: 'How long does delivery take?',
    summary:
      'Orders leave within a day, and are with you within three working days. Boats come by lorry, within two weeks.',
    body: '<p>Orders leave our warehouse within a day, and arrive within three working days. Boats come by lorry, within two weeks.</p>',
    category: 'Delivery',
  },
  {
    title: 'Refunds',
    summary: 'You have your money back within a week after the goods have arrived at our warehouse.',
    body: '<p>Refunds are made within a week after the goods have arrived at our warehouse, to the account from which they were paid.</p>',
    category: 'Billing',
  },
]

export interface AgentSetUp {
  bot: string
  token: string
  service: string
}

/** Creates the agent's user, what it may do, what it knows, and where it takes its events, in an organization. */
export async function setUpAgent(admin: Switchboard, organization: string): Promise<AgentSetUp> {
  const patch = { categories: [{ name: 'Delivery' }, { name: 'Billing' }] }
  await admin.request(UPDATE_ORGANIZATION, { id: organization, patch })
  const email = `agent.${crypto.randomUUID().slice(0, 8)}@example.com`
  const disclosure = { en: 'I am a bot. Ask for a person whenever you like.' }
  const user = { organization, role: 'BOT', email, displayName: 'Agent', disclosure }
  const { id: bot, apiToken } = (await admin.request(CREATE_USER, { input: user })).createUser
  await admin.request(SET_GRANTS, { bot, grants: GRANTS })
  for (const article of ARTICLES)
    await admin.request(CREATE_ARTICLE, { input: { organization, status: 'PUBLISHED', ...article } })
  const params = { bot, events: ['message.create.contact.chat'] }
  const input = { organization, type: 'events', name: 'Agent', params }
  const { createService } = await admin.request(CREATE_SERVICE, { input })
  return { bot, token: apiToken!, service: createService.id }
}

/** Creates a shop with the agent, a page on which one writes to it, and a channel whose member the administrator is. */
export async function setUpShop(admin: Switchboard, user: string): Promise<AgentSetUp & { webService: string }> {
  const { createOrganization } = await admin.request(CREATE_ORGANIZATION, { input: { name: 'Example shop' } })
  const organization = createOrganization.id
  await admin.request(CREATE_CHANNEL, { input: { organization, name: 'Example shop', members: [{ user }] } })
  const web = { organization, type: 'web', name: 'Example shop', params: { greeting: 'What is it about?' } }
  const { createService } = await admin.request(CREATE_SERVICE, { input: web })
  return { ...(await setUpAgent(admin, organization)), webService: createService.id }
}
