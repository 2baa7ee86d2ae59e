import { createHmac } from 'node:crypto'
import pg from 'pg'
import { withoutNames } from '../../src/platform/db/primary-connector.js'
import { rawRequest, RawConnection } from './http-client.js'
import { runConcurrently, UNIQUE, type LoadResult } from './load.js'
import { serve } from './processes.js'

export interface HttpLoad {
  url: string
  method: string
  path: string
  /** Tokens of the callers, in turn; none when `headers` say who it is. */
  tokens: string[]
  headers?: Record<string, string>
  /** Signs each body as Meta's platforms do (`X-Hub-Signature-256`), with this secret. */
  hubSecret?: string
  /** Sent in turn; absent for GET. */
  bodies?: unknown[]
  concurrency: number
  ms: number
  /** Status of the responses; 200 when absent. */
  status?: number
  /** Refused and slow requests count as completed: a client over its limit is refused. */
  mayBeRefused?: boolean
}

export interface FloorLoad<Options = never> {
  databaseUrl: string
  /** Path from the root of a module whose `floor` is a {@link Floor}. */
  module: string
  options: Options
  concurrency: number
  ms: number
  /** Statements are sent without their names, as through a pooler that shares sessions. */
  isUnnamed?: boolean
}

/** One turn of what the product is compared with, by bare `pg`. @param turn counts from 0, over all connections */
export type Floor<Options> = (client: pg.PoolClient, options: Options, turn: number) => Promise<unknown>

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
      const request = withUnique(requests[turn % requests.length]!)
      if (load.hubSecret !== undefined) sign(request, load.hubSecret)
      const { status, body } = await open[worker]!.send(request)
      if (load.mayBeRefused) return
      if (status !== (load.status ?? 200) || body.includes(ERRORS))
        throw new Error(`${status}: ${String(body).slice(0, 500)}`)
    })
  },

  async floor({ module, options, ...load }: FloorLoad): Promise<LoadResult> {
    const { floor } = (await import(new URL(`../../${module}`, import.meta.url).href)) as { floor: Floor<unknown> }
    return withClients(load, (clients) =>
      runConcurrently(load.concurrency, load.ms, async (turn, worker) => {
        await floor(clients[worker]!, options, turn)
      }),
    )
  },
})

let unique = 0

/** A copy with a number in each place of {@link UNIQUE}; the request itself when it has none. */
function withUnique(request: Buffer): Buffer {
  let at = request.indexOf(UNIQUE)
  if (at < 0) return request
  const copy = Buffer.from(request)
  const name = String(++unique).padStart(UNIQUE.length, '0')
  for (; at >= 0; at = request.indexOf(UNIQUE, at + UNIQUE.length)) copy.write(name, at, 'latin1')
  return copy
}

async function connectionsTo(url: string, count: number): Promise<RawConnection[]> {
  let open = connections.get(url)
  if (!open) connections.set(url, (open = []))
  for (let index = 0; index < count; index++) {
    if (!open[index] || open[index]!.isClosed) open[index] = await RawConnection.open(url)
  }
  return open
}

const UNSIGNED = 'sha256='.padEnd('sha256='.length + 64, '0')

/** Puts the signature of its body into a request, in place. */
function sign(request: Buffer, secret: string): void {
  const body = request.subarray(request.indexOf('\r\n\r\n') + 4)
  const at = request.indexOf(UNSIGNED) + 'sha256='.length
  request.write(createHmac('sha256', secret).update(body).digest('hex'), at, 'latin1')
}

function requestsOf({
  method,
  path,
  tokens,
  hubSecret,
  bodies = [undefined],
  ...more
}: Omit<HttpLoad, 'ms'>): Buffer[] {
  const headers = hubSecret === undefined ? more.headers : { ...more.headers, 'x-hub-signature-256': UNSIGNED }
  return Array.from({ length: Math.max(bodies.length, tokens.length) }, (_, index) =>
    rawRequest(method, path, tokens[index % tokens.length], bodies[index % bodies.length], headers),
  )
}

async function withClients<Result>(
  { databaseUrl, concurrency, isUnnamed }: Omit<FloorLoad, 'module' | 'options'>,
  work: (clients: pg.PoolClient[]) => Promise<Result>,
): Promise<Result> {
  const key = `${databaseUrl} ${isUnnamed ? 'unnamed' : ''}`
  let pool = pools.get(key)
  if (!pool) {
    const Client = isUnnamed ? withoutNames(pg.Client) : pg.Client
    pools.set(key, (pool = new pg.Pool({ connectionString: databaseUrl, max: CLIENTS_MAX, Client })))
    // A pooler ends before the process does.
    pool.on('error', () => undefined)
  }
  const clients = await Promise.all(Array.from({ length: concurrency }, () => pool.connect()))
  try {
    return await work(clients)
  } finally {
    for (const client of clients) client.release()
  }
}
