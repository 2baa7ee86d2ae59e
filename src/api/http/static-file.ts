import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A file as it is sent: in memory in both forms, since decompressing it costs more than all else. */
export interface StaticFile {
  etag: string
  plain: Buffer
  gzipped: Buffer
}

/** Returns a text that never changes as a file: whoever asks for it again and again has it neither encoded nor compressed. */
export function staticText(text: string): StaticFile {
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
  return { etag, plain, gzipped: gzipSync(plain) }
}

export function sendStaticFile(
  { etag, plain, gzipped }: StaticFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ etag, vary: 'Accept-Encoding' })
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
