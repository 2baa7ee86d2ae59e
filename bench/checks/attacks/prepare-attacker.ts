import pg from 'pg'
import { foldChunk } from '../../../src/modules/reports/fold.js'
import { MILESTONES, sqlOf } from '../../benchmarks/reports-seed.js'
import { listen } from '../../benchmarks/webhooks.js'
import type { Bench } from '../../harness/bench.js'
import { isQuick } from '../../harness/figures.js'
import type { Worker } from '../../harness/processes.js'
import type { Seed, SeededUser } from '../../harness/seed.js'
import type { Attacker } from './attacker.js'
import { REPORT_DAYS } from './dear-attacks.js'

const MAIL_SECRET = 'a secret of the mail service'
const RECEIVERS = 40
const REPLAYED = isQuick() ? 5 : 60
const REPORTED = isQuick() ? 100 : 40_000

const PARAMS = {
  email: { address: 'help@attacker.example', inboundSecret: MAIL_SECRET },
  web: {},
  sms: { accountSid: 'AC0123456789abcdef0123456789abcdef', authToken: 'a-token-of-the-bench', from: '+4930123456' },
  messenger: {
    pageId: '1',
    pageAccessToken: 'a-page-token',
    appSecret: 'an-app-secret',
    verifyToken: 'a-verify-token',
  },
}

/** An organization with everything that its attacks need, and another one in which hostile receivers listen. */
export async function prepareAttacker(bench: Bench, client: Worker, smtpPort: number): Promise<Attacker> {
  const { seeder, tokens, url } = bench
  const seed = await seeder.organization(1)
  const admin: SeededUser = { ...seed.agents[0]!, role: 'admin' }
  await seeder.query(`update app_user set role = 'admin' where id = $1`, [admin.id])
  const [token] = await tokens([admin])
  const make = (query: string, input: object): Promise<string> => mutate(url, token!, query, input)
  const service = (type: keyof typeof PARAMS): Promise<string> =>
    make('mutation ($input: CreateServiceInput!) { made: createService(input: $input) { id } }', {
      type,
      params: PARAMS[type],
    })
  await seedMetadata(bench, seed)
  await seedReports(bench, seed)
  const services = {
    mailService: await service('email'),
    webService: await service('web'),
    smsService: await service('sms'),
    messengerService: await service('messenger'),
  }
  // Before there are costly rules: what is replayed was decided by cheap ones.
  for (let index = 0; index < REPLAYED; index += 1) {
    const contact = { profile: { name: 'R', email: `replayed-${index}@example.com` } }
    const messages = [{ role: 'CONTACT', text: 'a'.repeat(8_000) }]
    await make('mutation ($input: CreateConversationInput!) { made: createConversation(input: $input) { id } }', {
      touchpoint: 'WEB',
      contact,
      messages,
    })
  }
  const workflow = await seedWorkflows(bench, make)
  return {
    url,
    smtpPort,
    admin: token!,
    mailSecret: MAIL_SECRET,
    ...services,
    workflow,
    listenedTo: await seedReceivers(bench, await client.ask<string[]>('receivers', RECEIVERS)),
  }
}

async function mutate(url: string, token: string, query: string, input: object): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  })
  const { data, errors } = (await response.json()) as { data?: { made: { id: string } }; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data!.made.id
}

async function seedMetadata({ seeder }: Bench, { organization }: Seed): Promise<void> {
  await seeder.query(
    `insert into contact (id, organization_id, org1, created_at, updated_at, meta)
     select gen_random_uuid(), $1, $1, now(), now(), jsonb_build_object('a', repeat('a', 60000))
     from generate_series(1, 1500)`,
    [organization],
  )
}

async function seedReports({ seeder, databaseUrl }: Bench, { organization, agents, channel }: Seed): Promise<void> {
  const from = new Date((Math.floor(Date.now() / 86_400_000) - REPORT_DAYS) * 86_400_000)
  const users = agents.map(({ id }) => id)
  const span = [0, REPORTED, REPORT_DAYS, REPORTED]
  await seeder.query(MILESTONES, [organization, users, channel, from, ...span])
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let isUnfinished = true; isUnfinished;) {
      await client.query('begin')
      isUnfinished = (await foldChunk(sqlOf(client), organization)).isUnfinished
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

/** 25 workflows of 30 costly rules each. @returns one of them */
async function seedWorkflows(
  { seeder }: Bench,
  make: (query: string, input: object) => Promise<string>,
): Promise<string> {
  const rules = Array.from({ length: 30 }, (_, index) => ({
    conditions: {
      any: [{ fact: 'message', path: '.text', operator: 'match', value: `(a|aa|a?a){50}${index}$` }],
    },
    event: { type: 'notify', params: {} },
  }))
  const workflow = await make(
    'mutation ($input: CreateWorkflowInput!) { made: createWorkflow(input: $input) { id } }',
    { name: 'W', rules },
  )
  await seeder.query(
    `insert into workflow select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(), 'external_id', gen_random_uuid()))).*
     from workflow w, generate_series(1, 24) where w.id = $1`,
    [workflow],
  )
  return workflow
}

async function seedReceivers(bench: Bench, urls: readonly string[]): Promise<Attacker['listenedTo']> {
  const seed = await bench.seeder.organization(2)
  const conversations = await bench.seeder.conversations(seed, 200)
  await bench.seeder.settle()
  for (const url of urls) await listen(bench, seed.organization, url, 'active')
  const [token] = await bench.tokens(seed.agents)
  return { token: token!, conversations }
}
