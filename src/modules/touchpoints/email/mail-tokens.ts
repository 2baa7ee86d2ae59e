import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '../../../platform/db/clock.js'

/** 80 bits: cannot be guessed by sending mails. */
const MAC_BYTES = 10
const ID_BYTES = 16
const TOKEN = /\+([a-z2-7]{42})@/i
/** Digits and lower-case letters, since mail servers on the way may change the case (RFC 4648, without padding). */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const MESSAGE_ID = /<([0-9a-f-]{36})\.([a-z2-7]{16})@[^<>\s]{1,255}>/gi

/**
 * Tokens in addresses and Message-IDs that prove which conversation an inbound mail belongs to and that an id was
 * issued here; authenticated by a secret of the installation. Thread headers can be forged, so they prove nothing.
 */
export class MailTokens {
  constructor(private readonly secret: Uint8Array) {}

  /** Returns `support+<token>@example.org`: mails to it join the conversation. */
  replyAddress(address: string, { service, conversation }: { service: string; conversation: string }): string {
    const at = address.lastIndexOf('@')
    const mac = this.#mac(`reply\n${service}\n${conversation}`)
    const token = base32(Buffer.concat([Buffer.from(conversation.replaceAll('-', ''), 'hex'), mac]))
    return `${address.slice(0, at)}+${token}${address.slice(at)}`
  }

  /** Returns the conversation of a reply address at a service; null for any other address. */
  conversationOf(recipient: string, service: string): string | null {
    const bytes = unbase32(TOKEN.exec(recipient)?.[1])
    if (bytes?.length !== ID_BYTES + MAC_BYTES) return null
    const conversation = idOf(bytes.subarray(0, ID_BYTES))
    const expected = this.#mac(`reply\n${service}\n${conversation}`)
    return timingSafeEqual(bytes.subarray(ID_BYTES), expected) ? conversation : null
  }

  /** Returns the Message-ID in angle brackets; the same for each attempt of a delivery. */
  messageId(delivery: string, domain: string): string {
    return `<${delivery}.${base32(this.#mac(`message\n${delivery}`))}@${domain}>`
  }

  /** Returns the delivery of the first of our Message-IDs in a text; null when there is none. */
  deliveryIn(text: string): string | null {
    for (const [, id, given] of text.matchAll(MESSAGE_ID)) {
      const delivery = id!.toLowerCase()
      if (!isId(delivery)) continue
      const mac = unbase32(given)
      if (mac?.length === MAC_BYTES && timingSafeEqual(mac, this.#mac(`message\n${delivery}`))) return delivery
    }
    return null
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
