import { Resolver } from 'node:dns/promises'
import type { Logger } from 'pino'
import { CheckThread, type Found, type LookUp, type MailWay, type Records } from './check-thread.js'
import type { MailTurn } from './mail-turns.js'
import { judge, UNDECIDED, UNPROVED, type Evidence, type Verdict } from './sender-proof.js'

export interface MailCheckerOptions {
  /** Instead of the system's. */
  dnsServers: readonly string[]
  log: Logger
}

/** A mail, the address of its From as agents see it, and the way it came: null where that is not known. */
export interface MailToCheck {
  address: string
  way: MailWay | null
  turn: MailTurn
  /** Number of its DKIM signatures. */
  signatures: number
}

/** A mail above either takes long to check. Nearly all mails without attachments are below. */
const SMALL_BYTES_MAX = 262_144
const SMALL_HEAD_BYTES_MAX = 32_768
/** Each costs as much as hashing the whole mail. Forwarders and lists add one each. */
const SIGNATURES_MAX = 10
const LOOKUP_MS_MAX = 2_000

/**
 * Checks SPF, DKIM and DMARC of mails, in worker threads: hashing a mail made for it may take long. Small mails have one of
 * their own, which none keeps busy. Name servers that do not answer leave a mail undecided: none is lost.
 */
export class MailChecker {
  readonly #resolver = new Resolver({ timeout: LOOKUP_MS_MAX, tries: 1 })
  readonly #small: CheckThread
  readonly #large: CheckThread

  constructor({ dnsServers, log }: MailCheckerOptions) {
    if (dnsServers.length > 0) this.#resolver.setServers(dnsServers)
    const lookUp: LookUp = (name, type, leftMs) => this.#records(name, type, leftMs)
    this.#small = new CheckThread({ log, lookUp, isForOneAtATime: false })
    this.#large = new CheckThread({ log, lookUp, isForOneAtATime: true })
  }

  /** @throws RateLimited when too many mails wait. Without a way, a signature alone can prove. */
  async check(bytes: Buffer, { address, way, turn, signatures }: MailToCheck): Promise<Verdict> {
    if (signatures > SIGNATURES_MAX) return UNPROVED
    const thread = isSmall(bytes) ? this.#small : this.#large
    const found = await thread.check(bytes, way, turn)
    if (found === 'too dear') return UNPROVED
    return found ? judge(address, evidenceIn(found, way !== null)) : UNDECIDED
  }

  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()])
  }

  async #records(name: string, type: string, leftMs: number): Promise<Records> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<{ code: string }>((resolve) => {
      timer = setTimeout(() => resolve({ code: 'ETIMEOUT' }), Math.min(leftMs, LOOKUP_MS_MAX))
    })
    const asked = this.#resolver.resolve(name, type).then(
      (records: unknown) => ({ records }),
      ({ code }: NodeJS.ErrnoException) => ({ code: code ?? 'EBADNAME' }),
    )
    return Promise.race([asked, late]).finally(() => clearTimeout(timer))
  }
}

function isSmall(bytes: Buffer): boolean {
  const ends = ['\n\n', '\n\r\n'].map((end) => bytes.indexOf(end)).filter((at) => at >= 0)
  return bytes.length <= SMALL_BYTES_MAX && Math.min(bytes.length, ...ends) <= SMALL_HEAD_BYTES_MAX
}

function evidenceIn({ dkim, spf: checked, dmarc }: Found, hasWay: boolean): Evidence {
  const spf = hasWay && checked
  // A signature over a part of the body does not say who wrote the rest.
  const signed = dkim.results.filter(({ status }) => status.result === 'pass' && !status.underSized)
  const signers = signed.map(({ signingDomain }) => signingDomain?.toLowerCase())
  const way = spf && spf.status.result === 'pass' ? spf.domain?.toLowerCase() : undefined
  const domains = [...signers, way].filter((domain) => domain !== undefined)
  const isTemporary = [...dkim.results, ...(spf ? [spf] : [])].some(({ status }) => status.result === 'temperror')
  if (!dmarc) return { dmarc: 'permerror', dmarcDomain: null, domains: [], hasWay, isTemporary }
  const { status, alignment } = dmarc
  const isPartOnly = status.result === 'pass' && !alignment?.spf.result && Boolean(alignment?.dkim.underSized)
  return {
    dmarc: isPartOnly ? 'fail' : status.result,
    dmarcDomain: status.header?.from?.toLowerCase() ?? null,
    domains,
    hasWay,
    isTemporary,
  }
}
