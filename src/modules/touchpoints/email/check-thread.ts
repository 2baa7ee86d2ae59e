import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { MailTurns, networkShare, type MailTurn } from './mail-turns.js'

/** The SMTP client that handed a mail over, and the envelope's sender. */
export interface MailWay {
  ip: string
  helo: string
  sender: string
}

/** Answer of a name server. */
export type Records = { records: unknown } | { code: string }
/** Asks a name server, for at most so long. */
export type LookUp = (name: string, type: string, leftMs: number) => Promise<Records>

export interface CheckThreadOptions {
  lookUp: LookUp
  log: Logger
  /** False: others have their turns while a mail waits for a name server. It must be quick otherwise. */
  isForOneAtATime: boolean
}

/** Mails being checked at once, most of which wait for name servers; of one network, half of them. */
const AT_ONCE_MAX = 100
/** The mails of one network for one service that wait. */
const WAITING_MAX = 100
/** Lookups of a mail: SPF has at most 10, each signature 1, DMARC 8. */
const LOOKUPS_MAX = 40
/** Time that name servers have for a mail. */
const LOOKUPS_MS_MAX = 8_000
/** Time of a processor for a mail: the largest one with two signatures takes a second, and a longer time means a mail made for it. */
const CHECK_MS_MAX = 5_000
/** The same by the clock, on a machine with much else to do. */
const CHECK_CLOCK_MS_MAX = 30_000
/** Bound of the times that a mail is begun, if the thread ends for another that it had to do with. */
const BEGINNINGS_MAX = 3
const WORKER_MEGABYTES_MAX = 512
/** Memory that the thread may keep when no mail is being checked. */
const HELD_BYTES_MAX = 64 * 1_048_576

/**
 * Code of a worker: only the library, which asks its parent for records. It says whenever it has nothing more to do for a
 * mail for now. A string, see mail-parser.ts.
 */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const { authenticate } = require(workerData.library)
const asked = new Map()
let last = 0
const say = (message) => {
  const { user, system } = process.threadCpuUsage()
  const { heapTotal, external } = process.memoryUsage()
  parentPort.postMessage({ ...message, spentMs: (user + system) / 1000, heldBytes: heapTotal + external })
}
parentPort.on('message', async ({ id, bytes, from, lookup, records, code }) => {
  if (lookup !== undefined) {
    const { resolve, reject } = asked.get(lookup)
    asked.delete(lookup)
    if (records) resolve(records)
    else reject(Object.assign(new Error(code), { code }))
    return setImmediate(say, { id })
  }
  const resolver = (name, type) => new Promise((resolve, reject) => {
    asked.set(++last, { resolve, reject })
    say({ id, lookup: last, name: String(name), type: String(type) })
    setImmediate(say, { id })
  })
  try {
    const { dkim, spf, dmarc } = await authenticate(Buffer.from(bytes.buffer), { ...workerData.options, ...from, resolver })
    const results = dkim.results.map(({ status, signingDomain }) => ({ status, signingDomain }))
    const found = { dkim: { results }, spf: spf && { status: spf.status, domain: spf.domain }, dmarc: dmarc && { status: dmarc.status, alignment: dmarc.alignment } }
    say({ id, found: JSON.parse(JSON.stringify(found)) })
  } catch (error) {
    say({ id, found: null })
  }
})`

const OPTIONS = { disableArc: true, disableBimi: true, rejectRsaSha1: true, minBitLength: 1_024, mta: 'switchboard' }

/** The parts of the library's result that a worker hands over. */
export interface Found {
  dkim: { results: { status: AuthStatus; signingDomain?: string }[] }
  spf: { status: AuthStatus; domain?: string } | false
  dmarc:
    | {
        status: AuthStatus & { header?: { from?: string } }
        alignment?: { spf: { result?: string }; dkim: { underSized?: number } }
      }
    | false
}

interface AuthStatus {
  result: string
  /** Bytes that follow what was signed. */
  underSized?: number
}

/** Result of a check; too dear: the mail has used up its time. */
export type Outcome = Found | 'too dear' | null

interface Check {
  id: number
  bytes: Buffer
  way: MailWay | null
  turn: MailTurn
  lookups: number
  /** Time that is left to name servers. */
  leftMs: number
  /** Time of a processor that it has had. */
  spentMs: number
  beginnings: number
  /** The thread that it has been given to. */
  worker: Worker | null
  done(found: Outcome): void
}

/** The work that the thread is doing. */
interface Step {
  check: Check
  since: number
  /** Time of a processor that the thread had spent before. */
  spentMs: number
  timer: NodeJS.Timeout | null
  end(): void
}

type FromWorker = { id: number; spentMs: number; heldBytes: number } & (
  | { found: Found | null }
  | { lookup: number; name: string; type: string }
  | object
)

const HALF = AT_ONCE_MAX / 2

/**
 * A worker thread that checks the senders of mails. They have it in turns, as they have those of the parser. One that takes
 * too much of its time is unproved, and those that the thread had to do with as well are begun anew.
 */
export class CheckThread {
  readonly #places = new FairQueue({
    name: 'mails',
    limits: { total: AT_ONCE_MAX, perTenant: HALF, perCaller: HALF, waitingPerCaller: WAITING_MAX },
  })
  readonly #steps = new MailTurns(1, Infinity)
  readonly #checks = new Map<number, Check>()
  #worker: Worker | null = null
  /** Time of a processor that the thread has spent, at its last message. */
  #spentMs = 0
  #step: Step | null = null
  #last = 0
  #isClosed = false

  constructor(private readonly options: CheckThreadOptions) {}

  /** @returns null for what cannot be decided now. @throws RateLimited when too many mails wait */
  check(bytes: Buffer, way: MailWay | null, turn: MailTurn): Promise<Outcome> {
    return this.#places.run(networkShare(turn), () => this.#found(bytes, way, turn))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { done } of this.#checks.values()) done(null)
    await this.#restart()
  }

  #found(bytes: Buffer, way: MailWay | null, turn: MailTurn): Promise<Outcome> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      const done: Check['done'] = (found) => {
        this.#checks.delete(id)
        if (this.#step?.check.id === id) this.#endStep()
        resolve(found)
      }
      const counts = { lookups: 0, leftMs: LOOKUPS_MS_MAX, spentMs: 0, beginnings: 0 }
      const check: Check = { id, bytes, way, turn, ...counts, worker: null, done }
      this.#checks.set(id, check)
      this.#begin(check)
    })
  }

  #begin(check: Check): void {
    const { id, bytes, way } = check
    check.beginnings += 1
    if (this.#isClosed || check.beginnings > BEGINNINGS_MAX) return check.done(null)
    void this.#inTurn(check, (worker) => {
      check.worker = worker
      const copy = Uint8Array.from(bytes)
      worker.postMessage({ id, bytes: copy, from: way ?? {} }, [copy.buffer])
    })
  }

  /** Gives the thread something to do for a mail when it is its turn, which lasts until the thread waits again. */
  async #inTurn(check: Check, give: (worker: Worker) => void): Promise<void> {
    await this.#steps.run(check.turn, () => {
      if (this.#checks.get(check.id) !== check) return
      return new Promise<void>((resolve) => {
        const worker = (this.#worker ??= this.#start())
        this.#step = { check, since: performance.now(), spentMs: this.#spentMs, timer: null, end: resolve }
        this.#watch(this.#step, CHECK_MS_MAX - check.spentMs)
        give(worker)
      })
    })
  }

  #watch(step: Step, leftMs: number): void {
    step.timer = setTimeout(() => void this.#endIfSpent(step), Math.max(0, leftMs))
  }

  /** Ends a check that has spent its time; what others had of the processor meanwhile does not count. */
  async #endIfSpent(step: Step): Promise<void> {
    const usage = await this.#worker?.cpuUsage().catch(() => undefined)
    if (this.#step !== step) return
    const { check, since } = step
    const spentMs = usage ? (usage.user + usage.system) / 1_000 - step.spentMs : 0
    const leftMs = CHECK_MS_MAX - check.spentMs - spentMs
    const isLate = performance.now() - since >= CHECK_CLOCK_MS_MAX
    if (leftMs > 0 && !isLate) return this.#watch(step, leftMs)
    this.options.log.warn('checking the sender of a mail took too long: its thread is started anew')
    check.done(leftMs > 0 ? null : 'too dear')
    await this.#restart()
  }

  #endStep(): void {
    const step = this.#step
    this.#step = null
    if (step?.timer) clearTimeout(step.timer)
    step?.end()
  }

  #start(): Worker {
    const library = createRequire(import.meta.url).resolve('mailauth')
    const worker = new Worker(WORKER, {
      eval: true,
      workerData: { library, options: OPTIONS },
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
      // Nothing of the server's environment.
      env: {},
    })
    worker.unref()
    this.#spentMs = 0
    worker.on('message', (message: FromWorker) => {
      if (this.#worker === worker) this.#take(worker, message)
    })
    worker.on('error', (error) => {
      this.options.log.warn({ err: error }, 'the thread that checks the senders of mails ended')
      if (this.#worker !== worker) return
      this.#step?.check.done('too dear')
      void this.#restart()
    })
    return worker
  }

  #take(worker: Worker, message: FromWorker): void {
    const { id, spentMs, heldBytes } = message
    const check = this.#checks.get(id)
    this.#spentMs = spentMs
    if (check && this.#step?.check === check && this.#endsStep(message)) {
      check.spentMs += spentMs - this.#step.spentMs
      this.#endStep()
    }
    if (check && 'lookup' in message) void this.#lookUp(worker, check, message)
    if (check && 'found' in message) check.done(message.found)
    if (this.#checks.size === 0 && heldBytes > HELD_BYTES_MAX) void this.#restart()
  }

  /** It waits for a name server, and nothing else is to be done for it. */
  #endsStep(message: FromWorker): boolean {
    return 'found' in message || !('lookup' in message || this.options.isForOneAtATime)
  }

  async #lookUp(
    worker: Worker,
    check: Check,
    { lookup, name, type }: { lookup: number; name: string; type: string },
  ): Promise<void> {
    const mayAsk = check.leftMs > 0 && check.lookups < LOOKUPS_MAX
    check.lookups += 1
    const since = performance.now()
    const answer = mayAsk ? await this.options.lookUp(name, type, check.leftMs) : { code: 'ETIMEOUT' }
    check.leftMs -= performance.now() - since
    const give = (current: Worker): void => {
      if (current === worker) worker.postMessage({ id: check.id, lookup, ...answer })
      else this.#endStep()
    }
    if (!this.options.isForOneAtATime) await this.#inTurn(check, give)
    else if (this.#worker === worker) give(worker)
  }

  /** Ends the thread; the mails that it had to do with are begun anew. */
  async #restart(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#endStep()
    for (const check of this.#checks.values()) if (worker && check.worker === worker) this.#begin(check)
    await worker?.terminate()
  }
}
