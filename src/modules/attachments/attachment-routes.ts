import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { shareOfCaller, type Context } from '../../platform/context.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Database } from '../../platform/db/database.js'
import { BadUserInput, NotFound, quoteValue } from '../../platform/errors.js'
import type { GuestLimits } from '../../platform/limits/guest-limits.js'
import { abortedOr, type RequestBodies } from '../../platform/limits/request-bodies.js'
import { RequestsAtOnce } from '../../platform/limits/requests-at-once.js'
import type { AttachmentLinks } from './attachment-links.js'
import type { AttachmentStore } from './attachment-store.js'
import type { Attachment } from './attachment.js'
import { createAttachment, type UploadDependencies } from './create-attachment.js'
import { contentDisposition } from './file-name.js'
import type { ReceivedFile, UploadSpool } from './upload-spool.js'

export interface AttachmentRoutesOptions extends UploadDependencies {
  database: Database
  store: AttachmentStore
  spool: UploadSpool
  bodies: RequestBodies
  guestLimits: GuestLimits
  links: AttachmentLinks
  /** Maximum size of one upload in bytes. */
  bytesMax: number
  /** @throws Unauthenticated, TokenExpired */
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<Context>
  /** Counts the request (section 8). @throws RateLimited */
  countRequest(reply: FastifyReply, policy: 'address' | 'key', of: string): Promise<void>
}

/** Parts other than the file contain an organization's id. */
const FIELD_BYTES_MAX = 1_000
/** Concurrent uploads, in total, per organization, so that no tenant takes all, and per address. */
const UPLOADS_AT_ONCE_MAX = 100
const UPLOADS_PER_ORGANIZATION_MAX = 60
const UPLOADS_PER_ADDRESS_MAX = 50
/** Those of guests: in total, so that half of all are left to others, per organization, per address and per guest. */
const GUEST_UPLOADS_AT_ONCE_MAX = 50
const GUEST_UPLOADS_PER_ORGANIZATION_MAX = 20
const GUEST_UPLOADS_PER_ADDRESS_MAX = 10
const UPLOADS_PER_GUEST_MAX = 10
/** Size of a multipart body without the file. */
const OVERHEAD_BYTES_MAX = 65_536
/** The content never changes, but browsers cache it for a day at most: links expire, attachments are deleted. */
const CACHE_SECONDS_MAX = 86_400

/**
 * Adds upload and download of attachments (4.7: "an attachments endpoint"), since GraphQL does not transfer bytes.
 * Everything else about attachments is an operation.
 */
export async function addAttachmentRoutes(app: FastifyInstance, options: AttachmentRoutesOptions): Promise<void> {
  const contexts = new WeakMap<FastifyRequest, Context>()
  const atOnce = new RequestsAtOnce({
    total: UPLOADS_AT_ONCE_MAX,
    organization: UPLOADS_PER_ORGANIZATION_MAX,
    address: UPLOADS_PER_ADDRESS_MAX,
  })
  const byGuests = new RequestsAtOnce({
    total: GUEST_UPLOADS_AT_ONCE_MAX,
    organization: GUEST_UPLOADS_PER_ORGANIZATION_MAX,
    address: GUEST_UPLOADS_PER_ADDRESS_MAX,
    caller: UPLOADS_PER_GUEST_MAX,
  })
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', (request, reply) => options.countRequest(reply, 'address', request.ip))
      await scope.register(multipart, {
        limits: {
          files: 1,
          fields: 2,
          parts: 4,
          headerPairs: 50,
          fieldSize: FIELD_BYTES_MAX,
          // One more than allowed: reading it shows that the file is too large.
          fileSize: options.bytesMax + 1,
        },
        throwFileSizeLimit: false,
      })
      scope.post(
        '/attachments',
        {
          // Before the body is read, so that unauthorized uploads cause no writes.
          onRequest: async (request, reply) => {
            const ctx = await options.contextFor(request, request.headers.authorization)
            await options.countRequest(reply, 'key', ctx.caller.key)
            ctx.require('attachment.create')
            const { guestCaller: guest, address } = ctx
            // Without a length, the maximum is counted.
            const bytes = Number(request.headers['content-length'] ?? options.bytesMax)
            if (guest) {
              byGuests.enter(reply, { address: request.ip, organization: guest.path[0], caller: guest.key })
              await options.guestLimits.countUpload({ guest, address }, Math.min(bytes, options.bytesMax))
            }
            atOnce.enter(reply, { address: request.ip, organization: ctx.caller.path[0], caller: ctx.caller.key })
            contexts.set(request, ctx)
          },
        },
        (request, reply) => upload(options, contexts.get(request)!, request, reply),
      )
      scope.get('/attachments/:id/:name', (request, reply) => download(options, request, reply))
    },
    { prefix: '/v2' },
  )
}

async function upload(
  options: AttachmentRoutesOptions,
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { file, ...named } = await receive(options, ctx, request)
  const key = request.headers['idempotency-key']
  const idempotencyKey = Array.isArray(key) ? key.join(', ') : key
  let attachment: Attachment
  try {
    attachment = await createAttachment(ctx, options, { file, ...named, idempotencyKey })
  } finally {
    await options.spool.discard(file)
  }
  return reply.code(201).send(presented(attachment, options.links))
}

interface Received {
  file: ReceivedFile
  fileName: string | undefined
  organization: string | undefined
}

/** Reads the parts, in any order. After an error nothing is left on disk, and the rest of the body is discarded. */
async function receive(
  { spool, bodies, bytesMax }: AttachmentRoutesOptions,
  { caller }: Context,
  request: FastifyRequest,
): Promise<Received> {
  if (!request.isMultipart()) {
    throw new BadUserInput('file', 'the body must be multipart/form-data with a part named file')
  }
  if (Number(request.headers['content-length']) > bytesMax + OVERHEAD_BYTES_MAX) {
    throw new BadUserInput('file', `file is larger than the limit of ${bytesMax} bytes`)
  }
  const share = shareOfCaller(caller)
  let file: ReceivedFile | undefined
  let fileName: string | undefined
  let organization: string | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        fileName = part.filename
        file = await spool.receive(Readable.from(bodies.onItsWay(request, part.file)), share)
      } else if (part.fieldname === 'organization' && typeof part.value === 'string' && !part.valueTruncated) {
        organization = part.value
      } else {
        const name = part.fieldname.slice(0, 100)
        throw new BadUserInput(
          name,
          `${name} ${quoteValue(part.value)} is not allowed; parts are file and organization`,
        )
      }
    }
    if (!file) throw new BadUserInput('file', 'file is required: a part with a file name', 'MISSING_VALUE')
    return { file, fileName, organization }
  } catch (error) {
    if (file) await spool.discard(file)
    request.raw.unpipe()
    request.raw.resume()
    if (!isMalformed(error)) throw abortedOr(request, error)
    throw new BadUserInput('file', `the body is not multipart/form-data: ${error.message.slice(0, 200)}`)
  }
}

/** Errors of the parser are plain; those of the disk and of this product have codes. */
function isMalformed(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error && !('code' in error)
}

async function download(
  { database, store, links }: AttachmentRoutesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id } = request.params as { id: string }
  const secondsLeft = links.check(id, request.query as Record<string, unknown>)
  const [found] = await database.query<{ name: string; type: string; size: number; sha256: string }>(
    `select file_name as name, file_type as type, size, sha256 from attachment a where id = $1 and ${isCenterInUseSql('a')}`,
    [id],
    'attachment-of-link',
  )
  if (!found) throw new NotFound(`Attachment ${quoteValue(id)} not found`)
  const etag = `"${found.sha256}"`
  const isKnown = request.headers['if-none-match'] === etag
  // First: an error is not to be cached.
  const content = isKnown ? null : await store.read(id, found.size)
  reply.headers({
    etag,
    'cache-control': `private, max-age=${Math.floor(Math.min(secondsLeft, CACHE_SECONDS_MAX))}, immutable`,
    // If a browser renders it as a page after all, nothing in it runs or loads.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'content-disposition': contentDisposition(found.name, found.type),
  })
  if (!content) return reply.code(304).send()
  return reply.type(found.type).header('content-length', found.size).send(content)
}

/** Presents an attachment like the other routes of `/v2`. */
function presented(attachment: Attachment, links: AttachmentLinks): Record<string, unknown> {
  const { id, organizationId, fileName, fileType, size, sha256, tags, userId, createdAt, updatedAt } = attachment
  return {
    id,
    organization: organizationId,
    fileName,
    fileType,
    size,
    sha256,
    url: links.urlOf(id, fileName),
    tags,
    ...(userId && { user: userId }),
    // An answer stored for an idempotency key has its dates as text.
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
