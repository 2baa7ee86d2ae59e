import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../../platform/data-dir.js'
import { BadUserInput, Unavailable } from '../../platform/errors.js'
import type { Share } from '../../platform/fairness/share.js'
import { ATTACHMENT_TYPES, HEAD_BYTES, typeOfContent, type AttachmentType } from './content-type.js'
import type { UploadDisk } from './upload-disk.js'

/** A complete, checked upload on disk. */
export interface ReceivedFile {
  path: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  type: AttachmentType
}

const SUFFIX = '.part'
/** Longer than any upload (the HTTP server limits requests to 5 minutes): older files were left by a crash. */
const LEFT_MS = 15 * 60_000

/** Receives uploads as streams, on disk beside the store, so that a file is stored by a rename. */
export class UploadSpool {
  constructor(
    private readonly directory: string,
    private readonly bytesMax: number,
    private readonly disk: UploadDisk,
  ) {}

  /**
   * Writes a stream to disk. After an error nothing is left; otherwise the caller must store the file or
   * {@link discard} it.
   * @param share whose turns it takes at the disk
   * @param known the type of what the server itself stores, whatever its first bytes are
   * @throws BadUserInput for a type that is not allowed, detected from the first bytes, and for a file that is too
   *   large; RateLimited; Unavailable when the disk takes nothing
   */
  async receive(stream: Readable, share: Share, known: AttachmentType | null = null): Promise<ReceivedFile> {
    const path = join(this.directory, `${randomUUID()}${SUFFIX}`)
    const inspection = new Inspection(this.bytesMax, known)
    try {
      await makeFolder(this.directory)
      await this.disk.write(path, inspection.pass(stream), share)
      return { path, ...inspection.end() }
    } catch (error) {
      // Nobody reads the rest, and without its end the request would get no answer.
      stream.resume()
      await this.discard({ path }).catch(() => undefined)
      if (!isOfDisk(error)) throw error
      throw new Unavailable('the upload cannot be stored now: send it again later', { cause: error })
    }
  }

  async discard({ path }: Pick<ReceivedFile, 'path'>): Promise<void> {
    await rm(path, { force: true })
  }

  /** Removes uploads that were interrupted when a process died; other nodes may be writing to the same directory. */
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

/** Tells whether a call of the file system failed, such as on a full disk. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && DISK_CALLS.has(String(error.syscall))
}

const DISK_CALLS: ReadonlySet<string> = new Set([
  'mkdir',
  'stat',
  'open',
  'write',
  'writev',
  'fdatasync',
  'fsync',
  'close',
])

class Inspection {
  readonly #hash = createHash('sha256')
  #size = 0
  #head = Buffer.alloc(0)
  #type: AttachmentType | null

  constructor(
    private readonly bytesMax: number,
    known: AttachmentType | null,
  ) {
    this.#type = known
  }

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#size += chunk.length
      if (this.#size > this.bytesMax) {
        throw new BadUserInput('file', `file is larger than the limit of ${this.bytesMax} bytes`)
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
  return new BadUserInput('file', `file must be one of ${ATTACHMENT_TYPES.join(', ')}, judging by its content`)
}
