import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../platform/db/clock.js'

/** 80 bits: cannot be guessed by sending mails. */
const MAC_BYTES = 10
const ID_BYTES = 16
const TOKEN = /\+([a-z2-7]{42})@/i
/** Digits and lower-case letters, since mail servers on the way may change the case (RFC 4648, without padding). */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const MESSAGE_ID = /<([0-9a-f-]{36})\.([a-z2-7]{16})@([^<>\s]{1,255})>/gi

/** A Message-ID that was issued here. */
export interface KnownMessageId {
  delivery: string
  /** True for the mail of a forwarded message. */
  isForwarded: boolean
  /** Domain of the service's address, by the word of the mail. */
  domain: string
}

/** Header of the proof that somebody has a mail itself, and not only its Message-ID. */
export const DELIVERY_PROOF_HEADER = 'X-Delivery-Proof'
const DELIVERY_PROOF = new RegExp(`^[ \\t>]*${DELIVERY_PROOF_HEADER}:\\s*([a-z2-7]{16})\\s*$`, 'gim')

/**
 * Tokens in addresses and Message-IDs that prove which conversation an inbound mail belongs to and that an id was
 * issued here; authenticated by a secret of the installation. Thread headers can be forged, so they prove nothing.
 */
export class MailTokens {
  constructor(private readonly secret: Uint8Array) {}

  /** Returns `support+<token>@example.org`: mails to it join the conversation. */
  replyAddress(address: string, { service, conversation }: { service: string; conversation: string }): string {
    return this.#addressOf(address, conversation, `reply\n${service}\n${conversation}`)
  }

  /** Returns `support+<token>@example.org`: mails to it answer a forwarded mail. */
  forwardAddress(address: string, { service, delivery }: { service: string; delivery: string }): string {
    return this.#addressOf(address, delivery, `forward\n${service}\n${delivery}`)
  }

  /** Returns the conversation of a reply address at a service; null for any other address. */
  conversationOf(recipient: string, service: string): string | null {
    return this.#idIn(recipient, (conversation) => `reply\n${service}\n${conversation}`)
  }

  /** Returns the delivery of a forwarded mail that a mail to this address answers; null for any other address. */
  forwardOf(recipient: string, service: string): string | null {
    return this.#idIn(recipient, (delivery) => `forward\n${service}\n${delivery}`)
  }

  /** Returns the Message-ID in angle brackets; the same for each attempt of a delivery. It tells a forwarded mail from others. */
  messageId(delivery: string, domain: string, isForwarded = false): string {
    return `<${delivery}.${base32(this.#macOf(delivery, isForwarded))}@${domain}>`
  }

  /** Returns the delivery of the first of our Message-IDs in a text; null when there is none. */
  deliveryIn(text: string): string | null {
    return this.messageIdsIn(text)[0]?.delivery ?? null
  }

  /** Returns our Message-IDs in a text, in their order. */
  messageIdsIn(text: string): KnownMessageId[] {
    return [...text.matchAll(MESSAGE_ID)].flatMap(([, id, given, domain]) => {
      const delivery = id!.toLowerCase()
      const mac = unbase32(given)
      if (!isId(delivery) || mac?.length !== MAC_BYTES) return []
      const kinds = [false, true].filter((each) => timingSafeEqual(mac, this.#macOf(delivery, each)))
      return kinds.map((isForwarded) => ({ delivery, isForwarded, domain: domain!.toLowerCase() }))
    })
  }

  #macOf(delivery: string, isForwarded: boolean): Buffer {
    return this.#mac(`${isForwarded ? 'forwarded' : 'message'}\n${delivery}`)
  }

  #addressOf(address: string, id: string, proved: string): string {
    const at = address.lastIndexOf('@')
    const token = base32(Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), this.#mac(proved)]))
    return `${address.slice(0, at)}+${token}${address.slice(at)}`
  }

  #idIn(recipient: string, proved: (id: string) => string): string | null {
    const bytes = unbase32(TOKEN.exec(recipient)?.[1])
    if (bytes?.length !== ID_BYTES + MAC_BYTES) return null
    const id = idOf(bytes.subarray(0, ID_BYTES))
    return timingSafeEqual(bytes.subarray(ID_BYTES), this.#mac(proved(id))) ? id : null
  }

  /** Returns what a mail has beside its Message-ID, which replies and forwarded mails do not name. */
  deliveryProof(delivery: string): string {
    return base32(this.#mac(`returned\n${delivery}`))
  }

  /** Tells whether a text has the header that proves that its writer has seen the mail of a delivery. */
  provesDelivery(text: string, delivery: string): boolean {
    const expected = this.#mac(`returned\n${delivery}`)
    return text.matchAll(DELIVERY_PROOF).some(([, given]) => {
      const mac = unbase32(given)
      return mac?.length === MAC_BYTES && timingSafeEqual(mac, expected)
    })
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.secret).update(text).digest().subarray(0, MAC_BYTES)
  }
}

/** Returns `support@example.org` for `support+<token>@example.org`; any other address unchanged, in lower case. */
export function withoutToken(address: string): string {
  return address.toLowerCase().replace(TOKEN, '@')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}

function unbase32(text: string | undefined): Buffer | null {
  if (text === undefined) return null
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text.toLowerCase()) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) return null
    held = (held << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
    }
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
