import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Email } from 'postal-mime'
import { BadUserInput, Unavailable } from '../../errors.js'

/** Mails parsed at the same time; others wait. */
const WORKERS_MAX = 2
const WAITING_MAX = 200
/** The largest mail takes a second or two; a longer time means a mail made for it. */
const PARSE_MS_MAX = 20_000
const WORKER_MEGABYTES_MAX = 512

const OPTIONS = {
  maxHeadersSize: 262_144,
  maxNestingDepth: 20,
  // A message/rfc822 part was written by somebody else: it must not be read as part of this mail.
  forceRfc822Attachments: true,
}

/** Code of a worker: only the library. A string, so that it does not depend on the location of compiled files. */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const PostalMime = require(workerData.library)
parentPort.on('message', async (bytes) => {
  try {
    const email = await PostalMime.parse(bytes, workerData.options)
    parentPort.postMessage({ email }, email.attachments.map(({ content }) => content))
  } catch (error) {
    parentPort.postMessage({ refusal: String(error && error.message).slice(0, 200) })
  }
})`

interface Task {
  bytes: Uint8Array<ArrayBuffer>
  resolve(email: Email): void
  reject(error: Error): void
}

/** A thread and the mail that it parses. */
interface Reader {
  worker: Worker
  task: Task | null
  timer: NodeJS.Timeout | null
}

/**
 * Parses mails in worker threads: a mail with many lines or parts takes a processor seconds, and a malicious one
 * minutes, during which the server must go on. A thread that exceeds its time or memory is terminated.
 */
export class MailParser {
  readonly #readers = new Set<Reader>()
  readonly #waiting: Task[] = []
  #isClosed = false

  /** @throws BadUserInput for input that cannot be parsed as a mail; Unavailable when too many mails wait */
  async parse(bytes: Buffer): Promise<Email> {
    if (this.#isClosed || this.#waiting.length >= WAITING_MAX) throw new Unavailable('too many inbound mails')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Uint8Array.from(bytes), resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const stopping = new Unavailable('the server is stopping')
    for (const { reject } of this.#waiting.splice(0)) reject(stopping)
    await Promise.all([...this.#readers].map((reader) => this.#drop(reader, stopping)))
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const idle = [...this.#readers].find(({ task }) => task === null)
    if (!idle && this.#readers.size >= WORKERS_MAX) return
    const reader = idle ?? this.#start()
    reader.task = this.#waiting.shift()!
    reader.timer = setTimeout(() => void this.#drop(reader, unreadable('parsing takes too long')), PARSE_MS_MAX)
    reader.worker.postMessage(reader.task.bytes, [reader.task.bytes.buffer])
  }

  #start(): Reader {
    const reader: Reader = { worker: startWorker(), task: null, timer: null }
    this.#readers.add(reader)
    reader.worker.on('message', ({ email, refusal }: { email?: Email; refusal?: string }) => {
      const task = release(reader)
      if (email) task?.resolve(email)
      else task?.reject(unreadable(refusal ?? ''))
      this.#next()
    })
    reader.worker.on('error', ({ message }: Error) => void this.#drop(reader, unreadable(message)))
    return reader
  }

  async #drop(reader: Reader, error: Error): Promise<void> {
    this.#readers.delete(reader)
    release(reader)?.reject(error)
    this.#next()
    await reader.worker.terminate()
  }
}

function release(reader: Reader): Task | null {
  const { task, timer } = reader
  if (timer) clearTimeout(timer)
  reader.task = null
  return task
}

function unreadable(reason: string): BadUserInput {
  return new BadUserInput('mail', `the mail cannot be parsed: ${reason}`)
}

function startWorker(): Worker {
  const library = createRequire(import.meta.url).resolve('postal-mime')
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: { library, options: OPTIONS },
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
    // Nothing of the server's environment.
    env: {},
  })
  worker.unref()
  return worker
}
