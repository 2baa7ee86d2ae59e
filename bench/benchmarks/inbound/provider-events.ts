import type { Bench, HttpResult } from '../../harness/bench.js'
import { alternate, medianOf, short, type Figure } from '../../harness/figures.js'
import { UNIQUE } from '../../harness/load.js'
import { Scene } from './inbound.js'

const CONCURRENCY = 16
const ROUNDS = { rounds: 4, warmUpMs: 2_500, roundMs: 2_000 }
const SECRET = 'secret-of-the-app'
const NUMBER = '106540352242922'
const LOOK_MS = 50

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'

/** Measures events of a provider: from its signed call to a conversation that is queued, each by a person who is not known yet. */
export async function benchProviderEvents(bench: Bench): Promise<Figure[]> {
  const [routed, floors] = [
    await Scene.make(bench, { workflow: true, channels: 1 }),
    await Scene.make(bench, { workflow: true, channels: 1 }),
  ]
  const service = await routed.service(CREATE, {
    type: 'whatsapp',
    params: { phoneNumberId: NUMBER, appSecret: SECRET },
  })
  const ofFloor = await floors.service(CREATE, {
    type: 'whatsapp',
    params: { phoneNumberId: `${NUMBER}1`, appSecret: SECRET },
  })
  const results = await alternate(
    ROUNDS,
    (ms) => floors.floorEvents(ofFloor, BODY, CONCURRENCY, ms),
    (ms) => toTheEnd(bench, service, ms),
  )
  const product = results.product
  return [
    {
      name: `event of a provider to a queued conversation, concurrency ${CONCURRENCY}`,
      ratio: medianOf(product, 'perSecond') / medianOf(results.floor, 'perSecond'),
      aim: 0.8,
      product:
        `${short(medianOf(product, 'perSecond'))} a second to the end, answered at ${short(medianOf(product, 'answeredPerSecond'))} a second, ` +
        `p95 ${short(medianOf(product, 'p95Ms'))} ms; ${short(medianOf(product, 'serverMicrosEach'))} us of server CPU each`,
      floor: `${short(medianOf(results.floor, 'perSecond'))} a second, p95 ${short(medianOf(results.floor, 'p95Ms'))} ms`,
      how:
        'Calls of WhatsApp with one message each, signed: checked, stored as a job, answered, then made a message of a new contact in a ' +
        'new conversation, routed by 20 rules; the time is that until the last is queued. Against bare pg writing the same rows in three ' +
        `transactions. Medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
    },
  ]
}

type ToTheEnd = HttpResult & { answeredPerSecond: number }

/** Calls for a while, and waits until everything that was taken is a message. */
async function toTheEnd({ http, seeder }: Bench, service: string, ms: number): Promise<ToTheEnd> {
  const count = async (): Promise<number> => {
    const [row] = await seeder.query<{ count: number }>(
      'select count(*)::int as count from inbound_message where service_id = $1 and message_id is not null',
      [service],
    )
    return row!.count
  }
  const before = await count()
  const startedAt = performance.now()
  const path = `/inbound/whatsapp/${service}`
  const calls = await http({
    method: 'POST',
    path,
    tokens: [],
    bodies: [BODY],
    hubSecret: SECRET,
    concurrency: CONCURRENCY,
    ms,
  })
  while ((await count()) - before < calls.done) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  const seconds = (performance.now() - startedAt) / 1_000
  return { ...calls, answeredPerSecond: calls.perSecond, perSecond: calls.done / seconds }
}

const BODY = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '31201234567', phone_number_id: NUMBER },
            contacts: [{ user_id: `NL.${UNIQUE}`, profile: { name: 'Consumer' } }],
            messages: [
              {
                id: `wamid.${UNIQUE}`,
                from_user_id: `NL.${UNIQUE}`,
                timestamp: '1764500000',
                type: 'text',
                text: { body: 'Where is my order 7781?' },
              },
            ],
          },
        },
      ],
    },
  ],
}
