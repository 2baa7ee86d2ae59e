import { createHmac, timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'

export const CODE_SECONDS = 24 * 60 * 60
/** 80 bits: cannot be guessed within its day. */
const CODE_BYTES = 10
const CODE = /^([0-9a-z]{1,10})-([0-9a-f]{20})$/

/** A service of an organization, and the address that it sends from. */
export interface Sender {
  service: string
  organization: string
  address: string
}

/**
 * Proofs that an organization may send from an address: a code that only its mailbox receives, or a text that only the
 * owner of its domain can publish. Both are authenticated by a secret of the installation: nothing is stored before the
 * proof is presented.
 */
export class SenderProofs {
  constructor(private readonly options: { secret: Uint8Array; now: () => Date }) {}

  /** Creates a code, valid for one service and one address, for a day. */
  code(sender: Sender): string {
    const expires = Math.floor(this.options.now().getTime() / 1_000) + CODE_SECONDS
    return `${expires.toString(36)}-${this.#codeMac(sender, expires).toString('hex')}`
  }

  isCode(sender: Sender, given: string): boolean {
    const [, expiresText, mac] = CODE.exec(given.trim().toLowerCase()) ?? []
    if (expiresText === undefined || mac === undefined) return false
    const expires = Number.parseInt(expiresText, 36)
    const isSigned = timingSafeEqual(Buffer.from(mac, 'hex'), this.#codeMac(sender, expires))
    return isSigned && expires * 1_000 > this.options.now().getTime()
  }

  /** Returns the name of the domain's TXT record. */
  dnsName({ address }: Pick<Sender, 'address'>): string {
    return `_switchboard.${domainOf(address)}`
  }

  /** Returns the record's value, the same for all services of an organization with addresses of one domain. */
  dnsValue({ organization, address }: Pick<Sender, 'organization' | 'address'>): string {
    return `switchboard-sender=${this.#mac(`dns\n${organization}\n${domainOf(address)}`)
      .toString('hex')
      .slice(0, 40)}`
  }

  #codeMac({ service, organization, address }: Sender, expires: number): Buffer {
    return this.#mac(`code\n${service}\n${organization}\n${address}\n${expires}`).subarray(0, CODE_BYTES)
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.options.secret).update(text).digest()
  }
}

function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return domainToASCII(domain) || domain
}
