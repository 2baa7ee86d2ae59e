import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { BadUserInput, quoteValue } from '../../platform/errors.js'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
/** ASCII is a part of UTF-8, in which JSON is exchanged (RFC 8259, section 8.1). */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])

/**
 * Refuses requests whose headers say what is not done here, such as bodies in an encoding that nothing here decodes: read
 * as if they were plain, they would mean something else here than to a proxy that decodes them.
 */
export function refuseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const refused = refusalOfHeaders(request)
    if (refused === null) return
    // Where the body ends is not certain.
    if (!isTransferKnown(request)) reply.header('connection', 'close')
    throw refused
  })
}

/** Returns why a request is refused for its headers; null for any other. */
export function refusalOfHeaders(request: FastifyRequest): Error | null {
  const { headers, raw } = request
  if (headers.host === undefined && raw.httpVersion === '1.1') return new BadUserInput('Host', 'Host is required')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return refusal(417, `Expect ${quoteValue(headers.expect)} is not supported`)
  }
  if (!isTransferKnown(request)) {
    const rule = `Transfer-Encoding must be chunked, not ${quoteValue(headers['transfer-encoding'])}`
    return new BadUserInput('Transfer-Encoding', rule)
  }
  const content = headers['content-encoding']
  if (content !== undefined && !['', 'identity'].includes(content.trim().toLowerCase())) {
    return refusal(415, `Content-Encoding ${quoteValue(content)} is not supported: send the body without one`)
  }
  return null
}

function isTransferKnown({ headers }: FastifyRequest): boolean {
  const transfer = headers['transfer-encoding']
  return transfer === undefined || transfer.trim().toLowerCase() === 'chunked'
}

/** @throws FastifyError (415) for JSON in another charset than UTF-8 */
export function requireUtf8({ headers }: FastifyRequest): void {
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? []
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return
  throw refusal(
    415,
    `Content-Type has the charset ${quoteValue(charset)}, which is not supported: JSON is sent as UTF-8`,
  )
}

/** An error of the framework, which keeps its status, with a message of ours. */
function refusal(statusCode: number, message: string): Error {
  return Object.assign(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), { statusCode, message })
}
