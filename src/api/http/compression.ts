import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Answers to sends are smaller: they are left as they are, at the price of comparing a length. */
const COMPRESSED_CHARS_MIN = 4_096
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/
const JSON_TYPE = /^application\/json\b/
/** Brotli at its lowest quality is both faster and smaller than gzip at its lowest level (docs/decisions/reach.md). */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: 1 }

type Encoding = 'br' | 'gzip'

/**
 * Compresses large texts for clients that accept it, outside the event loop. Answers to requests with a cookie, or that
 * set one, are never compressed: where a foreign page can cause authenticated requests, the length of a compressed
 * answer reveals its content (BREACH). All other credentials are in headers that only the client itself can set.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < COMPRESSED_CHARS_MIN || !mayCompress(request, reply)) {
      done(null, payload)
      return
    }
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
    const encoding = encodingOf(request.headers['accept-encoding'])
    if (encoding === null) {
      done(null, payload)
      return
    }
    const finish = (error: Error | null, compressed: Buffer): void => {
      if (error) {
        done(error)
        return
      }
      void reply.header('content-encoding', encoding)
      // Other bytes than those of the plain answer (RFC 9110, 8.8.1).
      const tag = reply.getHeader('etag')
      if (tag !== undefined) void reply.header('etag', `W/${String(tag)}`)
      reply.removeHeader('content-length')
      done(null, compressed)
    }
    if (encoding === 'br') brotliCompress(payload, BROTLI, finish)
    else gzip(payload, GZIP, finish)
  })
}

/** Files with a tag of their own are compressed in advance; that of a record names its version, whatever the bytes. */
function mayCompress({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  if (method === 'HEAD' || headers.cookie !== undefined) return false
  if (reply.hasHeader('set-cookie') || reply.hasHeader('content-encoding')) return false
  const type = String(reply.getHeader('content-type'))
  return COMPRESSIBLE.test(type) && (!reply.hasHeader('etag') || JSON_TYPE.test(type))
}

/** Returns the preferred encoding that the client accepts (RFC 9110, 12.5.3); null for none. */
function encodingOf(accepted: string | undefined): Encoding | null {
  if (!accepted) return null
  const qualities = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const
    }),
  )
  const isAccepted = (name: Encoding): boolean => (qualities.get(name) ?? qualities.get('*') ?? 0) > 0
  return isAccepted('br') ? 'br' : isAccepted('gzip') ? 'gzip' : null
}
