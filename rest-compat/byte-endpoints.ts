import type { OpenApiOperation } from './openapi/openapi-document.js'
import type { Endpoint } from './path-table.js'

/** An endpoint under `/v2` that is not a row, since GraphQL cannot transfer bytes. */
export interface ByteEndpoint extends Endpoint {
  operation: OpenApiOperation
}

const errors = (...statuses: number[]): Record<string, unknown> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]))

const UPLOAD: OpenApiOperation = {
  operationId: 'postAttachments',
  tags: ['Attachments'],
  summary: 'Upload an image (PNG, GIF, JPEG, WebP) or a PDF document; the type is detected from the content (4.7).',
  parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } }],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'With a file name.' },
            organization: { type: 'string', description: "Owning organization; defaults to the caller's." },
          },
          required: ['file'],
        },
      },
    },
  },
  responses: {
    201: {
      description: 'Created.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Attachment' } } },
    },
    ...errors(400, 401, 403, 404, 422, 429, 500, 503),
  },
}

const query = (name: string) => ({ name, in: 'query', required: true, schema: { type: 'string' } }) as const
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } }) as const

const DOWNLOAD: OpenApiOperation = {
  operationId: 'getAttachmentsByIdByName',
  tags: ['Attachments'],
  summary: 'Read an attachment by its `url`, which is valid for some days; no other credentials are needed.',
  parameters: [inPath('id'), inPath('name'), query('expires'), query('signature')],
  responses: {
    200: {
      description: 'The content.',
      content: Object.fromEntries(
        ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'application/pdf'].map((type) => [type, { schema: {} }]),
      ),
    },
    304: { description: 'The content matches `If-None-Match`.' },
    ...errors(403, 404, 429, 500, 503),
  },
  security: [],
}

/** Upload and download of attachments; served by `src/attachments/attachment-routes.ts`. */
export const BYTE_ENDPOINTS: readonly ByteEndpoint[] = [
  { method: 'POST', path: '/v2/attachments', operation: UPLOAD },
  { method: 'GET', path: '/v2/attachments/:id/:name', operation: DOWNLOAD },
]
