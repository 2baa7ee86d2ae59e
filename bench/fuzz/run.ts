import { ReadyWatch } from '../harness/ready-watch.js'
import { outcomeOf, outcomeOfErrors, type GraphqlError } from './bounds.js'
import { ConnectionFuzzer } from './connections.js'
import { FrameFuzzer } from './frames.js'
import { GraphqlRequests } from './graphql-requests.js'
import { MailFuzzer } from './mails.js'
import { Random } from './random.js'
import { Records } from './records.js'
import { RestRequests, type OpenApi } from './rest-requests.js'
import { Tally, type Stage } from './tally.js'
import { makeWorld, type Caller } from './world.js'

export interface FuzzOptions {
  url: string
  /** Tokens of callers with many rights and few; the first is an admin. */
  tokens: readonly string[]
  /** The GraphQL schema. */
  schema: string
  requests: number
  frames: number
  /** Requests on connections that are misused. */
  connections?: number
  /** Mails to the SMTP listener at this port. */
  mails?: { count: number; port: number }
  seed: number
  /** Requests under way at once. */
  concurrency: number
  /** An answer that takes longer is a fault; default: 5 s. */
  msMax?: number
  /** The same of `/readyz`; default: 1 s. */
  readyMsMax?: number
  /** Called after each tenth, with the progress; nobody asks `/readyz` meanwhile. */
  observe?: (done: number) => Promise<void>
}

/** Share of requests that are wrong in one place; the others are valid as far as can be determined from outside. */
const WRONGNESS = 0.1
const SLOW_MS = 5_000
const READY_SLOW_MS = 1_000
const READY_EVERY_MS = 200

/** Sends generated requests and frames, and counts what comes of them. Stops at nothing. */
export async function fuzz(options: FuzzOptions): Promise<Tally> {
  const { url, tokens, schema, requests, frames, connections = 0, mails, seed, concurrency } = options
  const { msMax = SLOW_MS, readyMsMax = READY_SLOW_MS } = options
  const random = new Random(seed)
  const records = new Records()
  let callers = await makeWorld(url, tokens, records)
  const document = (await (await fetch(`${url}/v2/openapi.json`)).json()) as OpenApi
  const rest = new RestRequests(document, records, random)
  const graphql = new GraphqlRequests(schema, records, random)
  const tally = new Tally({ msMax, readyMsMax })
  let sent = 0
  let made = 0
  const step = Math.ceil(requests / 10)
  const one = async (): Promise<void> => {
    // What is deleted, merged or blocked is gone, a guest with its contact: fresh ones keep later requests deep.
    if (sent % 500 === 0 && made < sent) {
      made = sent
      callers = await makeWorld(url, tokens, records)
    }
    const caller = random.pick(callers)
    tally.sent('requests')
    if (random.isLucky(0.35)) await sendRest({ url, caller, records, tally }, rest.make(WRONGNESS))
    else {
      const kind = random.isLucky(0.7) ? 'query' : 'mutation'
      await sendGraphql({ url, caller, records, tally }, graphql.make(kind, WRONGNESS))
    }
  }
  const sendAll = (watch: ReadyWatch): Promise<unknown> =>
    Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (sent < requests) {
          sent += 1
          const at = sent
          await one()
          if (at % step === 0) await watch.paused(async () => options.observe?.(at))
        }
      }),
    )
  const watched = async (stage: Stage, send: (watch: ReadyWatch) => Promise<unknown>): Promise<void> => {
    const watch = new ReadyWatch(url, READY_EVERY_MS)
    try {
      await send(watch)
    } finally {
      tally.countReady(stage, await watch.stop())
    }
  }
  const shared = { url, random, tally, wrongness: WRONGNESS }
  await watched('requests', sendAll)
  await watched('frames', () => new FrameFuzzer({ ...shared, callers, graphql }).send(frames))
  await watched('connections', () => new ConnectionFuzzer({ ...shared, callers, rest }).send(connections))
  if (mails) {
    const { count, port } = mails
    await watched('mails', () => new MailFuzzer({ ...shared, port, headers: callers[0]!.headers }).send(count))
  }
  return tally
}

interface Sending {
  url: string
  caller: Caller
  records: Records
  tally: Tally
}

async function sendRest(
  { url, caller, records, tally }: Sending,
  { method, path, body, kind }: ReturnType<RestRequests['make']>,
): Promise<void> {
  const since = performance.now()
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...caller.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: Buffer.from(body) }),
  }).catch((error: Error) => error)
  if (response instanceof Error) return tally.fault('requests', `${method} ${path}`, String(response.cause ?? response))
  const text = await response.text()
  tally.count(
    'requests',
    outcomeOf(response.status, response.headers.has('retry-after'), text),
    performance.now() - since,
    () => `${method} ${path} ${body ?? ''} -> ${text}`,
  )
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  if (response.ok && isJson && text.startsWith('{')) records.harvest(JSON.parse(text), kind)
  if (response.ok && text.startsWith('[')) records.harvest(JSON.parse(text), kind)
}

async function sendGraphql(
  { url, caller, records, tally }: Sending,
  request: ReturnType<GraphqlRequests['make']>,
): Promise<void> {
  const since = performance.now()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...caller.headers, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  }).catch((error: Error) => error)
  if (response instanceof Error)
    return tally.fault('requests', JSON.stringify(request), String(response.cause ?? response))
  const text = await response.text()
  const { data, errors } = JSON.parse(text) as { data?: object; errors?: GraphqlError[] }
  const { status, ok, headers } = response
  const outcome = errors
    ? outcomeOfErrors(errors, ok ? 400 : status)
    : outcomeOf(status, headers.has('retry-after'), text)
  tally.count('requests', outcome, performance.now() - since, () => `${JSON.stringify(request)} -> ${text}`)
  if (!errors) records.harvest(data)
}
