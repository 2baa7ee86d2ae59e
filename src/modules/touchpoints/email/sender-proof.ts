import type { AuthResult } from './auth-results.js'

/**
 * - `proven`: the domain of the sender's address signed the mail, or its mail servers sent it.
 * - `failed`: the domain publishes a policy (DMARC), and the mail is against it.
 * - `unproved`: neither; also where nobody could be asked.
 */
export type SenderProof = 'proven' | 'failed' | 'unproved'

export interface Verdict {
  proof: SenderProof
  /** True where another try may prove it: name servers did not answer. */
  isTemporary: boolean
}

/** Findings on a mail's signatures and its way, whoever looked. */
export interface Evidence {
  /** Domain of the From address to which the result of DMARC belongs; null if that was not said. */
  dmarcDomain: string | null
  dmarc: string
  /** Domains that signed it, or whose servers sent it; proven ones only. */
  domains: readonly string[]
  /** True if a server's address was checked (SPF): a signature alone proves, its absence does not disprove. */
  hasWay: boolean
  /** True if a lookup failed. */
  isTemporary: boolean
}

export const UNPROVED: Verdict = { proof: 'unproved', isTemporary: false }
export const UNDECIDED: Verdict = { proof: 'unproved', isTemporary: true }

/** Judges who wrote a mail. @param address its From as agents see it; null for none or several */
export function judge(address: string | null, evidence: Evidence): Verdict {
  const from = domainOf(address)
  const { dmarc, dmarcDomain, domains, hasWay, isTemporary } = evidence
  // Programs read a malformed From in different ways: what was proven must be what agents see.
  if (from === null || (dmarcDomain !== null && dmarcDomain !== from)) return UNPROVED
  if (dmarc === 'pass' && dmarcDomain !== null) return { proof: 'proven', isTemporary: false }
  if (dmarc === 'fail' && !isTemporary) return { proof: hasWay ? 'failed' : 'unproved', isTemporary: false }
  // Without a policy of its own a domain is spoken for by itself, and by those above it.
  const speaks = (domain: string): boolean =>
    domain === from || (dmarc === 'none' && domain.includes('.') && from.endsWith(`.${domain}`))
  if (dmarc !== 'fail' && domains.some(speaks)) return { proof: 'proven', isTemporary: false }
  return { proof: 'unproved', isTemporary: isTemporary || dmarc === 'temperror' }
}

/** Reads the evidence that a trusted mail server wrote down. */
export function evidenceOf(results: readonly AuthResult[]): Evidence {
  const first = (method: string): AuthResult | undefined => results.find((each) => each.method === method)
  const dmarc = first('dmarc')
  const spf = first('spf')
  const signers = results
    .filter(({ method, result }) => method === 'dkim' && result === 'pass')
    .map(({ properties }) => properties.get('header.d') ?? domainOf(properties.get('header.i') ?? null))
  const sender = spf?.result === 'pass' ? spf.properties.get('smtp.mailfrom') : undefined
  const way = sender === undefined ? null : (domainOf(sender) ?? sender)
  return {
    dmarc: dmarc?.result ?? 'none',
    dmarcDomain: dmarc?.properties.get('header.from') ?? null,
    domains: [...signers, way].filter((domain) => typeof domain === 'string'),
    hasWay: true,
    isTemporary: [dmarc, spf].some((each) => each?.result === 'temperror'),
  }
}

/** Returns the domain of an address, in lower case; null for what has none. */
export function domainOf(address: string | null): string | null {
  const at = address?.lastIndexOf('@') ?? -1
  return at < 0
    ? null
    : address!
        .slice(at + 1)
        .toLowerCase()
        .replace(/\.$/, '') || null
}
