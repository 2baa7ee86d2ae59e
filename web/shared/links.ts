/** A piece of a text; a link has an address. */
export interface TextPart {
  text: string
  href?: string
}

/** Lengths are bounded, so that a long text without a space costs no more than another. */
const LINK =
  /(?:https?:\/\/|www\.)[^\s<>"`{}|\\^\u200B-\u200F\u202A-\u202E\u2066-\u2069]{1,2000}|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?<![\p{L}\p{N}])\+\d[\d ()/-]{6,20}\d(?!\d)/giu
const HOST = /^(?:[a-z\d-]+(?:\.[a-z\d-]+)+\.?|localhost|\[[\da-f:.]+\])$/i
const CAN_HAVE_LINK = /:\/\/|www\.|@|\+\d/i

/** Splits a plain text at its web addresses, mail addresses and telephone numbers. */
export function linksIn(text: string): TextPart[] {
  if (!CAN_HAVE_LINK.test(text)) return [{ text }]
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = linkOf(found)
    if (!link) continue
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push(link)
    from = index + link.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

function linkOf(found: string): (TextPart & { length: number }) | null {
  if (found.startsWith('+')) return { text: found, href: `tel:${found.replace(/[^+\d]/g, '')}`, length: found.length }
  const text = withoutEnd(found)
  const name = /^(?:https?:|www\.)/i.test(text) ? '' : text.slice(0, text.lastIndexOf('@') + 1)
  const address = text.slice(name.length)
  const url = URL.parse(/^https?:/i.test(address) ? address : `https://${address}`)
  const [host = ''] = address.replace(/^https?:\/+/i, '').split(/[/?#]/)
  // A name before an @ looks like the host, and is not.
  if (!url || host.includes('@') || !HOST.test(url.hostname)) return null
  const shown = isReadable(host) ? text : name ? name + url.hostname : url.href
  return { text: shown, href: name ? `mailto:${shown}` : url.href, length: text.length }
}

/** Cuts off what ends a sentence; a bracket belongs to it only if it opens there too. Nine at most: each is a look at all. */
function withoutEnd(text: string): string {
  let end = text.replace(/[.,:;!?'”’…*_]+$/u, '')
  for (let left = 9; left-- && /[)\]]$/.test(end) && count(end, /[([]/g) < count(end, /[)\]]/g);)
    end = end.slice(0, -1).replace(/[.,:;!?]+$/, '')
  return end
}

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

/** Tells whether a host looks like no other: ASCII and its accents. Any other is shown as the browser asks for it. */
const isReadable = (host: string): boolean => /^[\w.:\u00DF-\u00F6\u00F8-\u00FF-]*$/i.test(host)
