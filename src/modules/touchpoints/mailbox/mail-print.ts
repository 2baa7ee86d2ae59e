import { createHmac } from 'node:crypto'

const BYTES = 16
/** They are the same in each copy of a mail that a server gives, also once its folder was restored or moved. */
export const PRINT_HEADERS = ['message-id', 'from', 'date', 'subject', 'received'] as const

/**
 * Makes the keyed hashes of the ledger: by a mail's head, which costs little to fetch, and by its identity. Nobody can tell
 * whether a mail that they guess is in it.
 */
export class MailPrints {
  constructor(private readonly secret: Uint8Array) {}

  /**
   * @param head bytes of its header lines, of which {@link PRINT_HEADERS} count, the topmost of each
   * @returns null for a head that tells it from no other
   */
  ofHead(head: Buffer): Buffer | null {
    const found = headersOf(head)
    if (!['message-id', 'date', 'received'].some((name) => found.get(name))) return null
    return this.#hash('head', JSON.stringify(PRINT_HEADERS.map((name) => found.get(name) ?? null)))
  }

  /** Tells whether a mail server has written when it took the mail: then no other mail has the same head. */
  isOfDelivery(head: Buffer): boolean {
    return headerOf(head, 'received') !== ''
  }

  ofIdentity(identity: string): Buffer {
    return this.#hash('identity', identity)
  }

  #hash(of: string, text: string): Buffer {
    return createHmac('sha256', this.secret).update(`${of}\n${text}`, 'latin1').digest().subarray(0, BYTES)
  }
}

/** Returns the topmost header line of the name, unfolded, as it stands there; '' if there is none. */
export const headerOf = (head: Buffer, name: string): string => headersOf(head).get(name) ?? ''

function headersOf(head: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const unfolded = head.toString('latin1').replace(/\r?\n[ \t]+/g, ' ')
  for (const line of unfolded.split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at <= 0) continue
    const name = line.slice(0, at).trim().toLowerCase()
    if (!found.has(name))
      found.set(
        name,
        line
          .slice(at + 1)
          .replace(/\s+/g, ' ')
          .trim(),
      )
  }
  return found
}

/** Returns the part of a mail above its first empty line. */
export function headOf(mail: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => mail.indexOf(end)).filter((at) => at >= 0)
  return mail.subarray(0, Math.min(mail.length, ...ends))
}
