import type { IncomingHttpHeaders } from 'node:http'

/** A request of GraphQL over HTTP, its body parsed. */
export interface GraphqlHttpRequest {
  method: string
  headers: IncomingHttpHeaders
  /** With its leading `?`, or empty. */
  search: string
  body: unknown
}

export interface GraphqlHttpResponse {
  status: number
  headers: Iterable<[string, string]>
  body: string
}
