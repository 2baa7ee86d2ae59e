import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BadUserInput } from '../errors.js'
import { ATTACHMENT_TYPES, HEAD_BYTES, typeOfContent, type AttachmentType } from './content-type.js'

/** A whole upload on disk, checked. */
export interface ReceivedFile {
  path: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  type: AttachmentType
}

const SUFFIX = '.part'
/** Longer than any upload lasts (the HTTP server gives a request 5 minutes): what is older was left by a crash. */
const LEFT_MS = 15 * 60_000

/** Takes uploads in as streams, on disk beside the store, so that a file is kept by a rename. */
export class UploadSpool {
  constructor(
    private readonly directory: string,
    private readonly bytesMax: number,
  ) {}

  /**
   * Writes a stream to disk. Whatever goes wrong leaves nothing; what went well is the caller's to take over or to
   * {@link discard}.
   * @throws BadUserInput for a type that may not be attached, seen at its first bytes, and for one that is too large
   */
  async receive(stream: Readable): Promise<ReceivedFile> {
    await mkdir(this.directory, { recursive: true })
    const path = join(this.directory, `${randomUUID()}${SUFFIX}`)
    const inspection = new Inspection(this.bytesMax)
    try {
      // Flushed to the disk before it ends: what is acknowledged outlives a power cut.
      await pipeline(
        stream,
        (chunks) => inspection.pass(chunks as AsyncIterable<Buffer>),
        createWriteStream(path, { flags: 'wx', flush: true }),
      )
      return { path, ...inspection.end() }
    } catch (error) {
      await this.discard({ path })
      throw error
    }
  }

  async discard({ path }: Pick<ReceivedFile, 'path'>): Promise<void> {
    await rm(path, { force: true })
  }

  /** Removes what uploads left behind when a process died; other nodes' uploads are under way beside it. */
  async sweep(): Promise<void> {
    const names = await readdir(this.directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const name of names.filter((each) => each.endsWith(SUFFIX))) {
      const path = join(this.directory, name)
      const found = await stat(path).catch(() => null)
      if (found && Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true })
    }
  }
}

class Inspection {
  readonly #hash = createHash('sha256')
  #size = 0
  #head = Buffer.alloc(0)
  #type: AttachmentType | null = null

  constructor(private readonly bytesMax: number) {}

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#size += chunk.length
      if (this.#size > this.bytesMax) {
        throw new BadUserInput('file', `file is larger than ${this.bytesMax} bytes, which is the most that is taken`)
      }
      this.#hash.update(chunk)
      if (!this.#type) this.#look(chunk)
      yield chunk
    }
  }

  end(): { size: number; sha256: string; type: AttachmentType } {
    const type = this.#type ?? typeOfContent(this.#head)
    if (!type) throw notAttachable(this.#size)
    return { size: this.#size, sha256: this.#hash.digest('hex'), type }
  }

  #look(chunk: Buffer): void {
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)])
    if (this.#head.length < HEAD_BYTES) return
    this.#type = typeOfContent(this.#head)
    if (!this.#type) throw notAttachable(this.#size)
  }
}

function notAttachable(size: number): BadUserInput {
  if (size === 0) return new BadUserInput('file', 'file is empty')
  return new BadUserInput('file', `file is none of ${ATTACHMENT_TYPES.join(', ')}, by its content`)
}
