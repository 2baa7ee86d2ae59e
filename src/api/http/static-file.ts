import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A file as it is sent: in memory in both forms, since decompressing it costs more than all else. */
export interface StaticFile {
  etag: string
  plain: Buffer
  /** Null for what compression makes no smaller, such as pictures. */
  gzipped: Buffer | null
}

/**
 * Makes a text that never changes when somebody first asks for it: whoever asks for it again and again has it neither encoded nor
 * compressed.
 */
export function staticText(make: () => string): () => Promise<StaticFile> {
  let file: Promise<StaticFile> | undefined
  return () => (file ??= inBothForms(Buffer.from(make()), true))
}

/** Files of a folder that never change, read and compressed once each, when somebody first asks for one. */
export class StaticFolder {
  readonly #read = new Map<string, Promise<StaticFile>>()

  constructor(private readonly folder: string) {}

  /** @param name path below the folder: never a client's, unless it is known to be there */
  file(name: string, isCompressed: boolean): Promise<StaticFile> {
    let file = this.#read.get(name)
    if (!file) {
      file = readFile(join(this.folder, name)).then((plain) => inBothForms(plain, isCompressed))
      this.#read.set(name, file)
      // The next one tries again.
      file.catch(() => this.#read.delete(name))
    }
    return file
  }
}

async function inBothForms(plain: Buffer, isCompressed: boolean): Promise<StaticFile> {
  return { etag: etagOf(plain), plain, gzipped: isCompressed ? await promisify(gzip)(plain) : null }
}

function etagOf(plain: Buffer): string {
  return `"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
}

export function sendStaticFile(
  { etag, plain, gzipped }: StaticFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('etag', etag)
  if (gzipped) reply.header('vary', 'Accept-Encoding')
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  if (!gzipped || !/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
