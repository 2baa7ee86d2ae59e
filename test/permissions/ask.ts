import type { Client } from 'graphql-ws'
import { liveClient, subscribe } from '../support/live-client.js'
import type { TestServer } from '../support/test-server.js'
import { uploadImage } from '../support/upload-image.js'
import type { Request } from './requests.js'
import { CALLERS, type CallerName, type World } from './world.js'

/** Answer to a caller. */
export interface Told {
  /** `ok`, or the code of the error that took the place of the result. */
  outcome: string
  status: number
  /** All of it, as it came. */
  text: string
}

export interface Callers {
  ask(caller: CallerName, request: Request): Promise<Told>
  close(): Promise<void>
}

/** Asks over the interface that the request is for: HTTP GraphQL, a socket, `/v2`. */
export async function connectCallers(app: TestServer, { credentials }: World): Promise<Callers> {
  const tokens = new Map<CallerName, string | null>()
  for (const caller of [...CALLERS, 'center'] as const) {
    const as = credentials[caller]
    tokens.set(caller, as === null || typeof as === 'string' ? as : await app.tokenFor(as))
  }
  const sockets = new Map([...tokens].map(([caller, token]) => [caller, liveClient(app.url, token)]))
  return {
    async ask(caller, request) {
      const as = tokens.get(caller)!
      switch (request.kind) {
        case 'graphql': {
          const answer = await app.gql<Record<string, unknown> | null>(as, request.query, request.variables)
          const outcome = answer.errors?.[0]?.extensions.code ?? 'ok'
          return { outcome, status: answer.status, text: JSON.stringify(answer) }
        }
        case 'rest': {
          const { status, body } = await app.rest(as, request.method, request.path, request.body)
          return { outcome: status < 400 ? 'ok' : body.code, status, text: JSON.stringify(body) }
        }
        case 'upload': {
          const response = await uploadImage(app, as, { name: 'a.png', organization: request.organization })
          const text = await response.text()
          const { code } = JSON.parse(text) as { code?: string }
          return { outcome: response.ok ? 'ok' : code!, status: response.status, text }
        }
        case 'live':
          return first(sockets.get(caller)!, request)
      }
    },
    async close() {
      for (const socket of sockets.values()) await socket.dispose()
    },
  }
}

/** The first event, which is a snapshot, or the refusal. */
async function first(client: Client, request: Extract<Request, { kind: 'live' }>): Promise<Told> {
  const live = subscribe<object>(client, request.field, request.query, request.variables)
  try {
    const event = await live.next()
    return { outcome: 'ok', status: 200, text: JSON.stringify(event) }
  } catch (error) {
    const [told] = live.errors.flat()
    if (!told) throw error
    return { outcome: codeOf(told), status: 200, text: JSON.stringify(told) }
  } finally {
    live.stop()
  }
}

/** A socket without credentials is closed. */
function codeOf(told: unknown): string {
  const { extensions, code } = told as { extensions?: { code?: string }; code?: number }
  if (extensions?.code) return extensions.code
  return code === 4403 ? 'UNAUTHENTICATED' : `closed with ${code}`
}
