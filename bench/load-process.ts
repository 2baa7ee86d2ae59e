import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { rawRequest, RawConnection } from './http-client.js'
import { runConcurrently, type LoadResult } from './load.js'
import { floorPage } from './page-floor.js'
import { serve } from './processes.js'
import { floorSend } from './send-floor.js'

export interface HttpLoad {
  url: string
  method: string
  path: string
  /** Of the callers, in turn; none when `headers` say who it is. */
  tokens: string[]
  headers?: Record<string, string>
  /** Sent in turn; absent for GET. */
  bodies?: unknown[]
  concurrency: number
  ms: number
  /** Of the responses; 200 when absent. */
  status?: number
}

export interface FloorSendLoad {
  databaseUrl: string
  conversations: string[]
  organization: string
  user: string
  text: string
  concurrency: number
  ms: number
}

export interface FloorPageLoad {
  databaseUrl: string
  organization: string
  concurrency: number
  ms: number
}

const ERRORS = Buffer.from('"errors":')
const connections = new Map<string, RawConnection[]>()
const pools = new Map<string, pg.Pool>()
const CLIENTS_MAX = 64

/** Makes load, away from what it measures. */
serve({
  async http(load: HttpLoad): Promise<LoadResult> {
    const open = await connectionsTo(load.url, load.concurrency)
    const requests = requestsOf(load)
    return runConcurrently(load.concurrency, load.ms, async (turn, worker) => {
      const { status, body } = await open[worker]!.send(requests[turn % requests.length]!)
      if (status !== (load.status ?? 200) || body.includes(ERRORS)) throw new Error(`${status}: ${String(body).slice(0, 500)}`)
    })
  },

  async floorSend(load: FloorSendLoad): Promise<LoadResult> {
    const { conversations } = load
    return withClients(load, (clients) =>
      runConcurrently(load.concurrency, load.ms, (turn, worker) =>
        floorSend(clients[worker]!, { ...load, conversation: conversations[turn % conversations.length]! }),
      ),
    )
  },

  async floorPage(load: FloorPageLoad): Promise<LoadResult> {
    return withClients(load, (clients) =>
      runConcurrently(load.concurrency, load.ms, async (_turn, worker) => {
        await floorPage(clients[worker]!, load.organization)
      }),
    )
  },

  /** Whether both give the same: a floor that does something else would be none. */
  async comparePages({ floor, http }: { floor: Omit<FloorPageLoad, 'ms'>; http: Omit<HttpLoad, 'ms'> }) {
    const [connection] = await connectionsTo(http.url, 1)
    const { body } = await connection!.send(requestsOf(http)[0]!)
    const page = await withClients({ ...floor, concurrency: 1 }, ([client]) => floorPage(client!, floor.organization))
    return { isSame: isDeepStrictEqual(JSON.parse(String(body)), JSON.parse(page)), bytes: body.length }
  },
})

async function connectionsTo(url: string, count: number): Promise<RawConnection[]> {
  let open = connections.get(url)
  if (!open) connections.set(url, (open = []))
  while (open.length < count) open.push(await RawConnection.open(url))
  return open
}

function requestsOf({ method, path, tokens, headers, bodies = [undefined] }: Omit<HttpLoad, 'ms'>): Buffer[] {
  return Array.from({ length: Math.max(bodies.length, tokens.length) }, (_, index) =>
    rawRequest(method, path, tokens[index % tokens.length], bodies[index % bodies.length], headers),
  )
}

async function withClients<Result>(
  { databaseUrl, concurrency }: { databaseUrl: string; concurrency: number },
  work: (clients: pg.PoolClient[]) => Promise<Result>,
): Promise<Result> {
  let pool = pools.get(databaseUrl)
  if (!pool) pools.set(databaseUrl, (pool = new pg.Pool({ connectionString: databaseUrl, max: CLIENTS_MAX })))
  const clients = await Promise.all(Array.from({ length: concurrency }, () => pool.connect()))
  try {
    return await work(clients)
  } finally {
    for (const client of clients) client.release()
  }
}
