import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.js'
import { BadUserInput } from '../../platform/errors.js'
import { parseRequestJson } from '../../platform/request-json.js'
import type { EventStreams } from '../graphql/stream-request.js'

/** Tells whether the client wants the answer as server-sent events, as browsers' EventSource and graphql-sse do. */
export function asksForEvents({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/event-stream')
}

/** Answers a request by a stream of events. @throws BadUserInput, and what `Realtime.stream` throws, before it begins */
export async function streamEvents(
  realtime: EventStreams,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { method, headers } = request
  const isReading = method === 'GET'
  const { query, operationName, variables } = isReading ? readSearch(request) : ((request.body ?? {}) as Payload)
  if (typeof query !== 'string' || query === '') throw new BadUserInput('query', 'query must be a GraphQL document')
  if (operationName != null && typeof operationName !== 'string') {
    throw new BadUserInput('operationName', 'operationName must be a text')
  }
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables))) {
    throw new BadUserInput('variables', 'variables must be an object')
  }
  const lastEventId = headers['last-event-id']
  const { maybeCaller: caller, address, origin, userAgent, acceptLanguage } = ctx
  await realtime.stream({
    ...{ caller, address: address ?? request.ip, origin, userAgent, acceptLanguage, isReading },
    payload: {
      query,
      operationName: operationName ?? null,
      variables: (variables ?? null) as Record<string, unknown> | null,
    },
    lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null,
    headers: reply.getHeaders(),
    response: reply.raw,
    began: () => void reply.hijack(),
  })
  return reply
}

interface Payload {
  query?: unknown
  operationName?: unknown
  variables?: unknown
}

function readSearch(request: FastifyRequest): Payload {
  const { query, operationName, variables } = request.query as Record<string, string | undefined>
  return { query, operationName, variables: variables === undefined ? null : parseRequestJson(variables, 'variables') }
}
