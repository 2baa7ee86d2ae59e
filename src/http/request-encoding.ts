import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { BadUserInput, quoteValue } from '../errors.js'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
/** ASCII is a part of UTF-8, in which JSON is exchanged (RFC 8259, section 8.1). */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])

/**
 * Refuses bodies in an encoding that nothing here decodes: read as if they were plain, they would mean something else
 * here than to a proxy that decodes them.
 */
export function refuseEncodings(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const transfer = headers['transfer-encoding']
    if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
      // Where the body ends is not certain.
      reply.header('connection', 'close')
      const rule = `Transfer-Encoding must be chunked, not ${quoteValue(transfer)}`
      throw new BadUserInput('Transfer-Encoding', rule)
    }
    const content = headers['content-encoding']
    if (content !== undefined && !['', 'identity'].includes(content.trim().toLowerCase())) {
      throw unsupported(`Content-Encoding ${quoteValue(content)} is not supported: send the body without one`)
    }
  })
}

/** @throws FastifyError (415) for JSON in another charset than UTF-8 */
export function requireUtf8({ headers }: FastifyRequest): void {
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? []
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return
  throw unsupported(
    `Content-Type has the charset ${quoteValue(charset)}, which is not supported: JSON is sent as UTF-8`,
  )
}

/** A 415 of the framework with a message of ours. */
function unsupported(message: string): Error {
  return Object.assign(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), { message })
}
