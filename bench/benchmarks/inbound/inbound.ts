import { systemClock } from '../../../src/platform/db/clock.js'
import { parseRule } from '../../../src/modules/workflows/rule.js'
import type { RuleDefinition } from '../../../src/modules/workflows/rule-definition.js'
import type { Bench, HttpResult } from '../../harness/bench.js'
import { alternate, medianOf, short, type Figure } from '../../harness/figures.js'
import { UNIQUE, type LoadResult } from '../../harness/load.js'
import { requireSameRows } from '../../harness/same-rows.js'
import type { Seed, Seeder } from '../../harness/seed.js'
import { seedWorkflows } from '../../harness/workflows.js'
import { openAgentSends } from '../agent-sends.js'
import { SEND } from '../send.js'
import type { InboundFloorOptions } from './inbound-rows.js'
import type { ProviderFloorOptions } from './provider-floor.js'
import type { QueueFloorOptions } from './queue-floor.js'

const RULES = 20
const CHANNELS = 200
const CONVERSATIONS = 4_000
const CONCURRENCY = 16
const ROUNDS = { rounds: 4, warmUpMs: 2_500, roundMs: 1_000 }
const A_FEW_MS = 50
const TEXT = 'Where is my order 7781?'

const POST = { method: 'POST', path: '/graphql' } as const
const CREATE = `mutation Create($input: CreateConversationInput!) { createConversation(input: $input) { id status } }`

/** Measures what consumers write first: conversations made with their contact, closed ones that are queued again. */
export async function benchInbound(bench: Bench): Promise<Figure[]> {
  const routed = await Scene.make(bench, { workflow: true, channels: 1 })
  const floors = await Scene.make(bench, { workflow: true, channels: 1 })
  await requireSameRows(
    bench.seeder,
    () => routed.create(1, A_FEW_MS),
    () => floors.floorCreate(1, A_FEW_MS),
  )
  await requireSameRows(
    bench.seeder,
    () => routed.queue(A_FEW_MS),
    () => floors.floorQueue(A_FEW_MS),
  )
  const many = await Scene.make(bench, { workflow: false, channels: CHANNELS })
  const { send } = await openAgentSends(bench, { conversations: 1_000, concurrency: CONCURRENCY })
  return [
    await createFigure(routed, floors, 16, 0.6),
    await createFigure(routed, floors, 64, 1),
    await queueFigure(routed, floors),
    await cpuFigure('contact, conversation and first message, routed by 20 rules', routed, send, 2),
    await cpuFigure(`the same with ${CHANNELS} channels notified, without a workflow`, many, send, 3),
  ]
}

/** An organization to write to. */
export class Scene {
  private constructor(
    private readonly bench: Bench,
    private readonly seed: Seed,
    private readonly token: string,
    private readonly floor: InboundFloorOptions,
    private readonly conversations: string[],
  ) {}

  static async make(bench: Bench, { workflow, channels }: { workflow: boolean; channels: number }): Promise<Scene> {
    const { seeder } = bench
    const seed = await seeder.organization(2)
    const [bot] = seed.agents
    await seeder.query(`update app_user set role = 'bot' where id = $1`, [bot!.id])
    await moreChannels(seeder, seed, channels - 1)
    const rules = makeRules(seed.channel)
    if (workflow) await seedWorkflows(seeder, seed.organization, [rules])
    const conversations = await seeder.conversations(seed, CONVERSATIONS)
    // Nobody is in a closed conversation.
    await seeder.query('delete from participant where conversation_id = any($1::uuid[])', [conversations])
    await seeder.settle()
    const [token] = await bench.tokens([{ ...bot!, role: 'bot' }])
    const floor = {
      organization: seed.organization,
      channel: seed.channel,
      user: bot!.id,
      workflow: systemClock.newId(),
      rule: rules[0]!.id,
      text: TEXT,
    }
    return new Scene(bench, seed, token!, floor, conversations)
  }

  create(concurrency: number, ms: number): Promise<HttpResult> {
    return this.bench.http({ ...POST, tokens: [this.token], bodies: [CREATE_BODY], concurrency, ms })
  }

  floorCreate(concurrency: number, ms: number): Promise<LoadResult> {
    return this.bench.floor({
      module: 'bench/benchmarks/inbound/create-floor.js',
      options: this.floor,
      concurrency,
      ms,
    })
  }

  /** Makes a service by the API, as an administrator. @param mutation answers with the service's id, as `createService` */
  async service(mutation: string, input: object): Promise<string> {
    const { seeder, url } = this.bench
    const owner = this.seed.agents[1]!
    await seeder.query(`update app_user set role = 'admin' where id = $1`, [owner.id])
    const [token] = await this.bench.tokens([{ ...owner, role: 'admin' }])
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: mutation, variables: { input } }),
    })
    const { data, errors } = (await response.json()) as { data?: { createService: { id: string } }; errors?: unknown }
    if (!data) throw new Error(JSON.stringify(errors))
    return data.createService.id
  }

  floorEvents(service: string, payload: object, concurrency: number, ms: number): Promise<LoadResult> {
    const options: ProviderFloorOptions = { ...this.floor, service, payload }
    return this.bench.floor({ module: 'bench/benchmarks/inbound/provider-floor.js', options, concurrency, ms })
  }

  /** A consumer's message to a closed conversation, each of them once. */
  async queue(ms: number): Promise<HttpResult> {
    await this.#close()
    const message = { type: 'CHAT', role: 'CONTACT', text: TEXT }
    const bodies = this.conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
    return this.#onceEach(
      await this.bench.http({ ...POST, tokens: [this.token], bodies, concurrency: CONCURRENCY, ms }),
    )
  }

  async floorQueue(ms: number): Promise<LoadResult> {
    await this.#close()
    const options: QueueFloorOptions = { ...this.floor, conversations: this.conversations }
    const load = { module: 'bench/benchmarks/inbound/queue-floor.js', options, concurrency: CONCURRENCY, ms }
    return this.#onceEach(await this.bench.floor(load))
  }

  async #close(): Promise<void> {
    await this.bench.seeder.query(
      `update conversation set status = 'closed', channels_offline = '{}', case_at = null, case_channels = '{}',
         waiting_since = null, unanswered_since = null, awaiting_reply = false
       where organization_id = $1 and status <> 'closed'`,
      [this.seed.organization],
    )
  }

  #onceEach<Result extends LoadResult>(result: Result): Result {
    if (result.done > CONVERSATIONS) throw new Error('there are too few conversations: not every message was routed')
    return result
  }
}

const CREATE_BODY = {
  query: CREATE,
  variables: {
    input: {
      type: 'CONTACT',
      touchpoint: 'WEB',
      contact: { profile: { name: 'Consumer', email: `${UNIQUE}@example.com` } },
      messages: [{ role: 'CONTACT', text: TEXT }],
    },
  },
}

/** One of them is about the text. */
function makeRules(channel: string): RuleDefinition[] {
  return Array.from({ length: RULES }, (_, index) => {
    const value = index === 7 ? '(?i)order [0-9]+' : `(?i)refund ${index}`
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value }] }
    const event = { type: 'notify', params: { channels: [channel] } }
    return { id: systemClock.newId(), ...parseRule({ conditions, event }) }
  })
}

async function moreChannels(seeder: Seeder, { organization }: Seed, count: number): Promise<void> {
  await seeder.query(
    `insert into channel (id, organization_id, org1, created_at, updated_at, name)
     select gen_random_uuid(), $1, $1, now(), now(), 'Bench ' || n from generate_series(1, $2::int) as n`,
    [organization, count],
  )
}

const times = (of: readonly LoadResult[]): string =>
  `${short(medianOf(of, 'perSecond'))} a second, p50 ${short(medianOf(of, 'p50Ms'))} ms, p99 ${short(medianOf(of, 'p99Ms'))} ms`
const cpu = (of: readonly HttpResult[]): string => `${short(medianOf(of, 'serverMicrosEach'))} us of server CPU each`
const rounds = `medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s`

async function createFigure(routed: Scene, floors: Scene, concurrency: number, aim: number): Promise<Figure> {
  const results = await alternate(
    ROUNDS,
    (ms) => floors.floorCreate(concurrency, ms),
    (ms) => routed.create(concurrency, ms),
  )
  return {
    name: `contact, conversation and first message, routed by ${RULES} rules, concurrency ${concurrency}`,
    ratio: medianOf(results.product, 'perSecond') / medianOf(results.floor, 'perSecond'),
    aim,
    product: `${times(results.product)}; ${cpu(results.product)}`,
    floor: `${times(results.floor)}; client CPU ${short(medianOf(results.floor, 'cpuMicrosEach'))} us`,
    how:
      'One create over HTTP GraphQL, checked, routed, committed, published; against bare pg writing the same rows (contact, ' +
      'conversation, message, decision, four milestones, four events with the counters of three streams, of which the organization and the ' +
      "channel's are every create's) by two prepared statements in one transaction each, nothing else. What both leave in " +
      `each table is compared first; ${rounds}.`,
  }
}

async function queueFigure(routed: Scene, floors: Scene): Promise<Figure> {
  const results = await alternate(
    ROUNDS,
    (ms) => floors.floorQueue(ms),
    (ms) => routed.queue(ms),
  )
  return {
    name: `a consumer's message that queues a closed conversation, routed by ${RULES} rules`,
    ratio: medianOf(results.product, 'perSecond') / medianOf(results.floor, 'perSecond'),
    aim: 0.8,
    product: `${times(results.product)}; ${cpu(results.product)}`,
    floor: `${times(results.floor)}; client CPU ${short(medianOf(results.floor, 'cpuMicrosEach'))} us`,
    how:
      'One message over HTTP GraphQL; against bare pg writing the same rows (conversation, message, decision, milestones, three events with ' +
      `the counters of two streams) by three prepared statements in one transaction each. Concurrency ${CONCURRENCY}; ${rounds}.`,
  }
}

async function cpuFigure(
  what: string,
  scene: Scene,
  send: (ms: number) => Promise<HttpResult>,
  aim: number,
): Promise<Figure> {
  const results = await alternate(ROUNDS, send, (ms) => scene.create(CONCURRENCY, ms))
  return {
    name: `CPU of a create: ${what}`,
    ratio: medianOf(results.product, 'serverMicrosEach') / medianOf(results.floor, 'serverMicrosEach'),
    aim,
    isTime: true,
    product: `${cpu(results.product)}; ${times(results.product)}`,
    floor: `${cpu(results.floor)}; ${times(results.floor)}: an agent's send`,
    how: `CPU of the server's process for each create, against that for each send; concurrency ${CONCURRENCY}; ${rounds}.`,
  }
}
