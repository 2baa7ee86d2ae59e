import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of the ZIP, as its manifest lists it. */
export interface WrittenFile {
  path: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

type Chunks = AsyncIterable<string | Buffer> | Iterable<string | Buffer>

/** Writes a ZIP as a stream, one file after another, each as fast as {@link output} is read. */
export class ZipWriter {
  /** The files so far. */
  readonly files: WrittenFile[] = []
  readonly #zip = new ZipFile()
  #current: Readable | undefined
  #reason: Error | undefined

  /** @param at time of the files */
  constructor(private readonly at: Date) {
    this.#zip.on('error', (error: Error) => this.abort(error))
    // Whoever reads it hears of it as well; nobody may be reading yet.
    this.output.on('error', () => undefined)
  }

  get output(): Readable {
    return this.#zip.outputStream as Readable
  }

  /** Writes a file. @returns its size and digest, of the bytes before they are compressed. @throws what its chunks throw, and the reason of {@link abort} */
  async add(path: string, chunks: Chunks, { compress = true } = {}): Promise<WrittenFile> {
    if (this.#reason) throw this.#reason
    const hash = createHash('sha256')
    let size = 0
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        if (bytes.length === 0) continue
        hash.update(bytes)
        size += bytes.length
        yield bytes
      }
    }
    const stream = Readable.from(counted(), { objectMode: false })
    this.#current = stream
    const read = finished(stream)
    this.#zip.addReadStream(stream, path, { mtime: this.at, compress })
    await read
    const file = { path, size, sha256: hash.digest('hex') }
    this.files.push(file)
    return file
  }

  /** Ends the ZIP; nothing can be added any more. */
  end(): void {
    this.#zip.end()
  }

  /** Ends what is read and written half way, with this reason. */
  abort(error: Error): void {
    this.#reason ??= error
    this.#current?.destroy(error)
    this.output.destroy(error)
  }
}
