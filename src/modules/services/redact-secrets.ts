import type { JsonObject } from '../../platform/json.js'
import { passwordOf, userOf } from '../../platform/url-credentials.js'
import { isSecretKey } from './secret-names.js'
import { MASK, mapSecrets, type MapSecret } from './service-secrets.js'

/** All that is read of a text: what is kept of an answer is shorter. Bounds the work, whatever a provider answers. */
const CHARS_MAX = 65_536
/** Bounds of all secrets together, each of which is searched in ten spellings: services have a few short ones. */
const [SECRETS_MAX, SECRET_CHARS_MAX] = [50, 16_384]
/** Characters at the end of a text that went on, in which the beginning of a secret would not be found. */
const CUT_CHARS = 4_096
/** Shorter ones have too short an encoding to be told from other text. */
const ENCODED_BYTES_MIN = 6
/** An encoded text may be encoded again, such as JSON within JSON. */
const LAYERS_MAX = 3

const ESCAPES =
  /(?:%[0-9a-f]{2})+|(?:\\[0-3][0-7]{2})+|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}|\\[bfnrt"'\\/]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi
/** As mails have it, with its line breaks. A view of its own: `name=AB…` is no escape elsewhere. */
const QUOTED_PRINTABLE = /(?:=[0-9a-f]{2})+|=\r?\n/gi
/** Between the lines of base64, and the bytes of hexadecimal digits. */
const BREAKS = /[\s:]+/g
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'amp & lt < gt > quot " apos \' plus + sol / equals = colon : semi ; comma , period . quest ? excl ! num # dollar $ percnt % ast * ' +
    'lpar ( rpar ) lsqb [ rsqb ] lbrack [ rbrack ] lcub { rcub } commat @ bsol \\ hat ^ lowbar _ grave ` vert |'
  )
    .split(/ (?=[a-z])/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/**
 * Returns the text without the secrets of these params, of which a provider's answer may repeat any: as they are, escaped
 * as in URLs, JSON, HTML or mails, in hexadecimal digits and in base64, also in the midst of something longer or in lines.
 * @param isCut the text went on: it may end in the midst of a secret
 * @returns at most {@link CHARS_MAX} characters, of a text that went on without those that may be the beginning of a secret; only the mask
 *   where there are more secrets than can be searched for
 */
export function redactSecrets(text: string, params: JsonObject, isCut = false): string {
  const read = text.slice(0, CHARS_MAX)
  const secrets = new Set(secretsOf(params))
  const chars = secrets.values().reduce((sum, secret) => sum + secret.length, 0)
  if (secrets.size > SECRETS_MAX || chars > SECRET_CHARS_MAX) return text === '' ? '' : MASK
  const forms = [...secrets].flatMap(formsOf)
  const hidden: Span[] = []
  const original: View = { text: read, starts: null, ends: null }
  const views: (View | null)[] = [
    original,
    replaced(original, QUOTED_PRINTABLE, (escape) => bytesOf(escape.replaceAll(/=\r?\n|=/g, ''))),
  ]
  let view: View | null = original
  for (let layer = 1; view !== null && layer <= LAYERS_MAX; layer++)
    views.push((view = replaced(view, ESCAPES, unescape)))
  for (const each of views) if (each) for (const form of forms) hidden.push(...spansOf(each, form))
  const joined = replaced(original, BREAKS, () => '')
  // Short ones would be found across words that have nothing to do with them.
  if (joined) for (const form of forms) if (form.text.length > ENCODED_BYTES_MIN) hidden.push(...spansOf(joined, form))
  const shown = masked(read, hidden)
  return isCut || text.length > CHARS_MAX ? shown.slice(0, -CUT_CHARS) : shown
}

/** Texts that nobody may read: secrets, and passwords and secret parameters of URLs. */
function secretsOf(params: JsonObject): string[] {
  const secrets: string[] = []
  const note: MapSecret = (secret) => {
    secrets.push(String(secret))
    if (typeof secret === 'string') noteUrl(secret)
    return secret
  }
  const noteUrl = (text: string): string => {
    const password = passwordOf(text)
    // The second as it is sent.
    if (password !== null) secrets.push(password, `${userOf(text)}:${password}`)
    for (const [name, value] of URL.parse(text)?.searchParams ?? []) if (isSecretKey(name)) secrets.push(value)
    return text
  }
  mapSecrets(params, undefined, note, noteUrl)
  return secrets.filter((secret) => secret !== '')
}

/** Spellings of a secret that stay when a text is unescaped. Hexadecimal ones are in small letters. */
function formsOf(secret: string): { text: string; isHex: boolean }[] {
  const bytes = Buffer.from(secret)
  const plain = [secret, secret.replaceAll(' ', '+'), bytes.toString('base64')]
  if (bytes.length < ENCODED_BYTES_MIN) return plain.map((text) => ({ text, isHex: false }))
  // Whole groups of three bytes look the same at each of three places within a longer text.
  const groups = [0, 1, 2].map((at) => bytes.subarray(at, bytes.length - ((bytes.length - at) % 3)))
  const encoded = [bytes, ...groups].flatMap((each) => [
    each.toString('base64').replaceAll('=', ''),
    each.toString('base64url'),
  ])
  return [
    ...[...plain, ...encoded].map((text) => ({ text, isHex: false })),
    { text: bytes.toString('hex'), isHex: true },
  ]
}

type Span = readonly [start: number, end: number]

/** A text and where its characters come from: null if it is the original. */
interface View {
  text: string
  starts: Uint32Array | null
  ends: Uint32Array | null
}

function spansOf({ text, starts, ends }: View, form: { text: string; isHex: boolean }): Span[] {
  const searched = form.isHex ? text.replaceAll(/[A-F]/g, (digit) => digit.toLowerCase()) : text
  const spans: Span[] = []
  for (let at = searched.indexOf(form.text); at !== -1; at = searched.indexOf(form.text, at + form.text.length)) {
    const last = at + form.text.length - 1
    spans.push([starts?.[at] ?? at, ends?.[last] ?? last + 1])
  }
  return spans
}

/** Returns the view with what each escape means in its place; null if there are none. */
function replaced({ text, starts, ends }: View, escapes: RegExp, meaning: (escape: string) => string): View | null {
  const parts: string[] = []
  const from: number[] = []
  const to: number[] = []
  const add = (part: string, start: number, length: number, isEscape: boolean): void => {
    parts.push(part)
    for (let at = 0; at < part.length; at++) {
      const [first, last] = isEscape ? [start, start + length - 1] : [start + at, start + at]
      from.push(starts?.[first] ?? first)
      to.push(ends?.[last] ?? last + 1)
    }
  }
  let done = 0
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const meant = meaning(escape)
    if (meant === escape) continue
    add(text.slice(done, index), done, index - done, false)
    add(meant, index, escape.length, true)
    done = index + escape.length
  }
  if (done === 0) return null
  add(text.slice(done), done, text.length - done, false)
  return { text: parts.join(''), starts: Uint32Array.from(from), ends: Uint32Array.from(to) }
}

function unescape(escape: string): string {
  if (escape.startsWith('%')) return bytesOf(escape.replaceAll('%', ''))
  const rest = escape.slice(1)
  if (escape.startsWith('\\')) {
    if (/^[0-3]/.test(rest)) return Buffer.from(rest.split('\\').map((digits) => Number.parseInt(digits, 8))).toString()
    return /^[ux]/i.test(rest)
      ? characterOf(rest.slice(1).replaceAll(/[{}]/g, ''), 16)
      : (CONTROLS[rest.toLowerCase()] ?? rest)
  }
  const name = rest.slice(0, -1).toLowerCase()
  if (name.startsWith('#x')) return characterOf(name.slice(2), 16)
  return name.startsWith('#') ? characterOf(name.slice(1), 10) : (ENTITIES.get(name) ?? escape)
}

const bytesOf = (digits: string): string => Buffer.from(digits, 'hex').toString()

function characterOf(digits: string, base: 10 | 16): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
}

function masked(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let done = 0
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    // One may be the beginning of another, or overlap it.
    if (start >= done) parts.push(text.slice(done, start), MASK)
    done = Math.max(done, end)
  }
  return [...parts, text.slice(done)].join('')
}
