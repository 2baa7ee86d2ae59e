import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Email } from 'postal-mime'
import { BadUserInput, Unavailable } from '../../../platform/errors.js'
import { MailTurns, type MailTurn } from './mail-turns.js'

/** Mails parsed at the same time; others wait for their turn. */
const WORKERS_MAX = 2
/** The mails of one network for one service that wait. Those of all are bounded by connections, and by the bytes that they hold. */
const WAITING_MAX = 100
/** Time of a processor: the largest mail takes a second or two, and a longer time means a mail made for it. */
const PARSE_MS_MAX = 5_000
/** The same by the clock, on a machine with much else to do. */
const PARSE_CLOCK_MS_MAX = 30_000
const WORKER_MEGABYTES_MAX = 512
/** Memory that a thread may keep between two mails. It has some 10 MiB when it starts. */
const HELD_BYTES_MAX = 64 * 1_048_576
/** Lines that begin or end a part. Each costs as much as some kilobytes of text. */
const BOUNDARIES_MAX = 1_000
/** A mail of 100 MiB in Base64 has a million and a half. */
const LINES_MAX = 1_500_000

/** A line of Base64 is decoded in such pieces: it may consist of millions of parts that each end. */
const PIECE_BYTES = 65_536

const OPTIONS = {
  maxHeadersSize: 262_144,
  maxNestingDepth: 20,
  // A message/rfc822 part was written by somebody else: it must not be read as part of this mail.
  forceRfc822Attachments: true,
}

/** Character sets of DOS, which mail still has and `TextDecoder` has not, and of the time before 8 bits. */
const FURTHER_CHARSETS = [
  437, 720, 737, 775, 850, 852, 855, 856, 857, 858, 860, 861, 862, 863, 864, 865, 869, 1125, 1129, 1161, 1162, 1163,
].flatMap((page) => [`cp${page}`, `ibm${page}`])

/**
 * Code of a worker: the library, which knows the character sets of the web, and those further ones. Text that names no
 * character set, or one of 7 bits, is UTF-8 if it can be, else of Windows. A string, so that it does not depend on the
 * location of compiled files. The library asks for decoders by their global name, once for each label. It keeps an object
 * for each line, or piece of Base64, until a Blob joins them: here their bytes are joined as they come.
 */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const iconv = require(workerData.iconv)
const Native = globalThis.TextDecoder
const further = new Set([...workerData.furtherCharsets, 'utf-7', 'utf7'])
const unnamed = new Set(['utf8', 'us-ascii', 'ascii'])
globalThis.TextDecoder = class extends Native {
  constructor(label, options) {
    super(further.has(label) || unnamed.has(label) ? 'utf-8' : label, options)
    this.label = label
    // The decoder of headers, which name none.
    this.isGuess = unnamed.has(label) || Boolean(options && options.ignoreBOM)
  }
  decode(bytes, options) {
    if (bytes && further.has(this.label)) return iconv.decode(Buffer.from(bytes), this.label.replace('ibm', 'cp'))
    if (!bytes || !this.isGuess) return super.decode(bytes, options)
    try {
      return new Native('utf-8', { fatal: true }).decode(bytes)
    } catch {
      return new Native('windows-1252').decode(bytes)
    }
  }
}
class JoinedChunks {
  bytes = Buffer.alloc(0)
  length = 0
  push(chunk) {
    this.reserve(chunk.length)
    if (typeof chunk === 'string') this.length += this.bytes.write(chunk, this.length)
    else {
      this.bytes.set(chunk, this.length)
      this.length += chunk.length
    }
  }
  pushBase64(text) {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'base64')
  }
  reserve(size) {
    if (this.length + size <= this.bytes.length) return
    const larger = Buffer.from(new ArrayBuffer(Math.max(2 * this.bytes.length, this.length + size, 256)))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}
globalThis.Blob = class {
  constructor({ bytes, length }) {
    this.whole = bytes.buffer.slice(0, length)
  }
  async arrayBuffer() {
    return this.whole
  }
}
const replace = (path, extend) => {
  const Decoder = require(path)
  require.cache[path].exports = extend(Decoder)
}
const joining = (Decoder) => class extends Decoder {
  chunks = new JoinedChunks()
}
replace(workerData.decoders.passThrough, joining)
replace(workerData.decoders.qp, joining)
replace(workerData.decoders.base64, (Decoder) => class extends joining(Decoder) {
  update(line) {
    for (let at = 0; at < line.length; at += workerData.pieceBytes) super.update(line.subarray(at, at + workerData.pieceBytes))
  }
  pushChunk(base64) {
    this.chunks.pushBase64(base64)
  }
})
for (const label of further) require(workerData.strings).ENCODING_LABELS.add(label)
const PostalMime = require(workerData.library)
// It counts while it reads: which lines are boundaries only the library knows.
class BoundedMime extends PostalMime {
  lines = 0
  parts = 0
  last = this.currentNode
  processLine(line, isFinal) {
    if (this.currentNode !== this.last) {
      this.last = this.currentNode
      if (++this.parts > workerData.boundariesMax) throw new Error('it has more than ' + workerData.boundariesMax + ' parts')
    }
    if (++this.lines > workerData.linesMax) throw new Error('it has more than ' + workerData.linesMax + ' lines')
    return super.processLine(line, isFinal)
  }
}
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  const { heapTotal, external } = process.memoryUsage()
  return { spentMs: (user + system) / 1000, heldBytes: heapTotal + external }
}
parentPort.on('message', async (bytes) => {
  try {
    const email = await new BoundedMime(workerData.options).parse(bytes)
    // An invitation comes as a text.
    const moved = email.attachments.map(({ content }) => content).filter((content) => content instanceof ArrayBuffer)
    parentPort.postMessage({ email, ...spent() }, moved)
  } catch (error) {
    parentPort.postMessage({ refusal: String(error && error.message).slice(0, 200), ...spent() })
  }
})`

interface Task {
  since: number
  resolve(email: Email): void
  reject(error: Error): void
}

/** The answer of a thread. */
interface Parsed {
  email?: Email
  refusal?: string
  spentMs: number
  /** Memory that it keeps, used or not: only its end gives that back. */
  heldBytes: number
}

/** A thread and the mail that it parses. */
interface Reader {
  worker: Worker
  task: Task | null
  timer: NodeJS.Timeout | null
  /** Time of a processor that it had spent when the mail came. */
  spentMs: number
}

/**
 * Parses mails in worker threads: a mail with many lines or parts takes a processor long, during which the server must go
 * on. A thread that exceeds its time or memory is terminated, and so is one that a mail has left with much memory.
 */
export class MailParser {
  readonly #readers = new Set<Reader>()
  readonly #turns = new MailTurns(WORKERS_MAX, WAITING_MAX)
  #isClosed = false

  /** @throws BadUserInput for input that cannot be parsed as a mail; RateLimited when too many mails wait; Unavailable */
  parse(bytes: Buffer, turn: MailTurn): Promise<Email> {
    return this.#turns.run(turn, () => this.#read(bytes))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#readers].map((reader) => this.#drop(reader, stopping())))
  }

  /** Reads a mail whose turn it is: a thread is free. */
  #read(bytes: Buffer): Promise<Email> {
    if (this.#isClosed) throw stopping()
    const reader = [...this.#readers].find(({ task }) => task === null) ?? this.#start()
    return new Promise((resolve, reject) => {
      reader.task = { since: performance.now(), resolve, reject }
      this.#watch(reader, PARSE_MS_MAX)
      const copy = Uint8Array.from(bytes)
      reader.worker.postMessage(copy, [copy.buffer])
    })
  }

  #start(): Reader {
    const reader: Reader = { worker: startWorker(), task: null, timer: null, spentMs: 0 }
    this.#readers.add(reader)
    reader.worker.on('message', ({ email, refusal, spentMs, heldBytes }: Parsed) => {
      reader.spentMs = spentMs
      const task = release(reader)
      if (heldBytes > HELD_BYTES_MAX) void this.#drop(reader, stopping())
      if (email) task?.resolve(email)
      else task?.reject(unreadable(refusal ?? ''))
    })
    reader.worker.on('error', ({ message }: Error) => void this.#drop(reader, unreadable(message)))
    return reader
  }

  #watch(reader: Reader, leftMs: number): void {
    reader.timer = setTimeout(() => void this.#endIfSpent(reader), leftMs)
  }

  /** Ends a thread that has spent its time on a mail; what others had of the processor meanwhile does not count. */
  async #endIfSpent(reader: Reader): Promise<void> {
    const { task, worker } = reader
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: Infinity, system: 0 }))
    if (!task || reader.task !== task) return
    const leftMs = PARSE_MS_MAX - ((user + system) / 1_000 - reader.spentMs)
    const isLate = performance.now() - task.since >= PARSE_CLOCK_MS_MAX
    if (leftMs > 0 && !isLate) this.#watch(reader, leftMs)
    else await this.#drop(reader, unreadable('parsing takes too long'))
  }

  async #drop(reader: Reader, error: Error): Promise<void> {
    this.#readers.delete(reader)
    release(reader)?.reject(error)
    await reader.worker.terminate()
  }
}

function release(reader: Reader): Task | null {
  const { task, timer } = reader
  if (timer) clearTimeout(timer)
  reader.task = null
  return task
}

const stopping = (): Unavailable => new Unavailable('the server is stopping')

function unreadable(reason: string): BadUserInput {
  return new BadUserInput('mail', `the mail cannot be parsed: ${reason}`)
}

function startWorker(): Worker {
  const require = createRequire(import.meta.url)
  const library = require.resolve('postal-mime')
  const strings = join(dirname(library), 'decode-strings.js')
  const decoder = (name: string): string => join(dirname(library), `${name}-decoder.js`)
  const iconv = require.resolve('iconv-lite')
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: {
      library,
      strings,
      decoders: { passThrough: decoder('pass-through'), base64: decoder('base64'), qp: decoder('qp') },
      pieceBytes: PIECE_BYTES,
      iconv,
      furtherCharsets: FURTHER_CHARSETS,
      options: OPTIONS,
      boundariesMax: BOUNDARIES_MAX,
      linesMax: LINES_MAX,
    },
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
    // Nothing of the server's environment.
    env: {},
  })
  worker.unref()
  return worker
}
