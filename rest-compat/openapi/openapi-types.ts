import type { MediaType, OpenApiOperation } from './operation.js'

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; [member: string]: unknown }
  servers: { url: string; description?: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: OpenApiWebhook }>
  components: Record<string, Record<string, unknown>>
  security: Record<string, string[]>[]
  /** The records as `select` leaves them; absent where the answers are described so. */
  'x-selected'?: Readonly<Record<string, object>>
}

/** A request that the server sends to the address of a webhook. */
export interface OpenApiWebhook {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: readonly object[]
  requestBody: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, unknown>
  security: Record<string, string[]>[]
}
