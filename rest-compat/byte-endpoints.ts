import { errorRefs, refsTo } from './openapi/error-responses.js'
import { EXAMPLES } from './openapi/examples.js'
import type { OpenApiOperation } from './openapi/operation.js'
import { IDEMPOTENCY_KEY } from './openapi/openapi-parameters.js'
import type { Endpoint } from './path-table.js'

/** An endpoint under `/v2` that is not a row, since GraphQL cannot transfer bytes. */
export interface ByteEndpoint extends Endpoint {
  operation: OpenApiOperation
}

const UPLOAD: OpenApiOperation = {
  operationId: 'uploadAttachment',
  tags: ['Attachments'],
  summary: 'Upload an image or a document',
  description:
    'PNG, GIF, JPEG, WebP or PDF: the type is detected from the content. Interface specification, section 4.7.',
  parameters: [IDEMPOTENCY_KEY],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: {
              type: 'string',
              contentMediaType: 'application/octet-stream',
              description: 'Content of the file, with a file name.',
            },
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
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Attachment' },
          example: EXAMPLES.operations.uploadAttachment?.response,
        },
      },
    },
    ...errorRefs({ hasBody: true, hasPrecondition: false }),
  },
}

const fromUrl = (name: string, where: 'path' | 'query', whose = "attachment's") =>
  ({
    name,
    in: where,
    required: true,
    description: `From the ${whose} \`url\`.`,
    schema: { type: 'string' },
  }) as const

const DOWNLOAD: OpenApiOperation = {
  operationId: 'downloadAttachment',
  tags: ['Attachments'],
  summary: 'Download an attachment',
  description: 'The `url` of an attachment leads here. It is valid for some days; no other credentials are needed.',
  parameters: [
    fromUrl('id', 'path'),
    fromUrl('name', 'path'),
    fromUrl('expires', 'query'),
    fromUrl('signature', 'query'),
  ],
  responses: {
    200: {
      description: 'The content.',
      content: Object.fromEntries(
        ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'application/pdf'].map((type) => [type, { schema: {} }]),
      ),
    },
    304: { description: 'The content matches `If-None-Match`.' },
    ...refsTo(['403', '404', '429', '500', '503']),
  },
  security: [],
}

const DOWNLOAD_EXPORT: OpenApiOperation = {
  operationId: 'downloadExport',
  tags: ['Exports'],
  summary: 'Download the export of a contact',
  description:
    'The `url` of an export leads here. It is valid for 7 days, names the user to whom it was given, and needs no other credentials. ' +
    'Each download is in the audit log.',
  parameters: [
    fromUrl('id', 'path', "export's"),
    fromUrl('user', 'query', "export's"),
    fromUrl('expires', 'query', "export's"),
    fromUrl('signature', 'query', "export's"),
  ],
  responses: {
    200: { description: 'The ZIP.', content: { 'application/zip': { schema: {} } } },
    ...refsTo(['403', '404', '429', '500', '503']),
  },
  security: [],
}

/**
 * Upload and download of attachments, and download of exports; served by `src/modules/attachments/attachment-routes.ts` and
 * `src/modules/privacy/export/export-routes.ts`.
 */
export const BYTE_ENDPOINTS: readonly ByteEndpoint[] = [
  { method: 'POST', path: '/v2/attachments', operation: UPLOAD },
  { method: 'GET', path: '/v2/attachments/:id/:name', operation: DOWNLOAD },
  { method: 'GET', path: '/v2/exports/:id/file', operation: DOWNLOAD_EXPORT },
]
