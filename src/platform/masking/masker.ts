import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import validator from 'validator'
import { isPlainObject } from '../json.js'

/** Kinds that may be kept from a reader in texts. */
export const MASKED_KINDS = ['email', 'phone', 'card', 'iban'] as const
export type MaskedKind = (typeof MASKED_KINDS)[number]

/** So long one slice of the work takes the thread, in milliseconds. */
const SLICE_MS = 10
/** Characters of texts between two looks at the clock. */
const SLICE_CHARS = 10_000
/** Words that may be of a kind and are examined, in one answer: up to 10 us each. Further ones are masked unexamined. */
const EXAMINED_MAX = 5_000

/**
 * Replaces addresses, telephone numbers, cards and bank accounts in an answer by `[email 1]`, `[phone 2]`: the same one
 * has the same number in the whole answer.
 */
export class Masker {
  readonly #kinds: ReadonlySet<MaskedKind>
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Map<MaskedKind, number>()
  #examined = 0
  #chars = 0

  constructor(kinds: readonly MaskedKind[]) {
    this.#kinds = new Set(kinds)
  }

  /** Returns a copy of JSON data in which all texts, names of fields and numbers are masked; long ones in slices, between which others have the thread. */
  async data<T>(data: T): Promise<T> {
    const work = this.#walk(data)
    for (let until = performance.now() + SLICE_MS; ;) {
      const { done, value } = work.next()
      if (done) return value as T
      if (performance.now() < until) continue
      await new Promise(setImmediate)
      until = performance.now() + SLICE_MS
    }
  }

  /** Returns the text with what is kept from the reader masked. */
  text(text: string): string {
    if (text.length < LENGTH_MIN || MARK.test(text)) return text
    // Ids are in every answer, and links have them.
    const parts = text.length < ID_LENGTH ? [text] : text.split(ID)
    const masked = parts.map((part, index) => (index % 2 === 1 ? part : this.#part(part))).join('')
    return masked.endsWith('…') ? this.#withoutHalf(masked) : masked
  }

  /** Returns a text that was shortened without half a number or address at its end, which is not recognised as one. */
  #withoutHalf(text: string): string {
    const at = Math.max(0, text.length - HALF_CHARS_MAX)
    let end = text.slice(at)
    if (this.#kinds.has('email')) end = end.replace(HALF_EMAIL, '…')
    if (this.#kinds.has('iban')) end = end.replace(HALF_IBAN, '…')
    if (this.#kinds.has('card') || this.#kinds.has('phone')) end = end.replace(HALF_NUMBER, '…')
    return text.slice(0, at) + end
  }

  #part(text: string): string {
    let masked = text
    if (this.#kinds.has('email') && AT.test(masked)) masked = this.#replace(masked, 'email', EMAIL, wholly)
    if (!DIGITS.test(masked)) return masked
    if (this.#kinds.has('iban')) masked = this.#replace(masked, 'iban', IBAN, (found) => this.#longest(found, isIban))
    if (this.#kinds.has('card')) masked = this.#replace(masked, 'card', CARD, (found) => this.#longest(found, isCard))
    if (this.#kinds.has('phone')) masked = this.#replace(masked, 'phone', PHONE, (found) => this.#phoneIn(found))
    return masked
  }

  *#walk(value: unknown): Generator<undefined, unknown> {
    if (typeof value === 'string') {
      this.#chars += value.length
      if (this.#chars >= SLICE_CHARS) {
        this.#chars = 0
        yield
      }
      return this.text(value)
    }
    // Shorter ones are counts and sizes, of fields that are numbers.
    if (typeof value === 'number' && value >= 1e10) {
      const text = String(value)
      const masked = this.text(text)
      return masked === text ? value : masked
    }
    if (Array.isArray(value)) {
      const copy: unknown[] = []
      for (const each of value) copy.push(yield* this.#walk(each))
      return copy
    }
    if (!isPlainObject(value)) return value
    const copy: Record<string, unknown> = {}
    for (const [name, each] of Object.entries(value)) {
      // `__proto__` is a name like any other.
      const field = { value: yield* this.#walk(each), enumerable: true, writable: true, configurable: true }
      Object.defineProperty(copy, this.text(name), field)
    }
    return copy
  }

  /** @param lengthOf tells how much of what was found, from its beginning, is of the kind: 0 if nothing is */
  #replace(text: string, kind: MaskedKind, pattern: RegExp, lengthOf: (found: string) => number): string {
    pattern.lastIndex = 0
    let masked = ''
    let done = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const length = lengthOf(match[0])
      if (length === 0) {
        pattern.lastIndex = match.index + 1
        continue
      }
      masked += `${text.slice(done, match.index)}[${kind} ${this.#numberOf(kind, match[0].slice(0, length))}]`
      done = pattern.lastIndex = match.index + length
    }
    return done === 0 ? text : masked + text.slice(done)
  }

  /** However it is written: `+31 20…` is `003120…`. */
  #numberOf(kind: MaskedKind, found: string): number {
    const plain = kind === 'email' ? found : found.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^00/, '')
    const key = `${kind} ${plain.toLowerCase()}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = (this.#counts.get(kind) ?? 0) + 1
      this.#counts.set(kind, number)
      this.#numbers.set(key, number)
    }
    return number
  }

  #phoneIn(match: string): number {
    const listed = LISTED.exec(match)?.[0]
    const found = listed ? listed.slice(0, -1).trimEnd() : match
    const grouped = GROUPED.exec(found)?.[0] ?? ''
    if (grouped) return grouped.length
    // As messengers write the numbers of their users.
    const bare = BARE.exec(found)?.[0] ?? ''
    if (bare) return this.#examine(() => parsePhoneNumberFromString(`+${bare}`)?.isValid() === true) ? bare.length : 0
    if (!/^[+(0]/.test(found) || DATE.test(found)) return 0
    const ends = endsOf(found, /\d+/g).filter(({ length }) => length >= 7 && length <= PHONE_DIGITS_MAX)
    const isInternational = found.startsWith('+')
    // Of one with its country it is known where it ends.
    const known = isInternational
      ? ends.findLast(({ at }) =>
          this.#examine(() => parsePhoneNumberFromString(found.slice(0, at))?.isPossible() === true),
        )
      : undefined
    const end = known ?? ends.at(-1)
    return end && (isInternational || end.length >= 8) ? end.at : 0
  }

  /** Returns the length of the longest beginning, up to the end of a group, that is one: words or digits of something else may follow. */
  #longest(found: string, isOne: (characters: string) => boolean): number {
    const plain = found.replaceAll(/[^A-Z\d]/gi, '')
    const ends = endsOf(found, /[A-Z\d]+/gi).filter(({ length }) => length >= NUMBER_LENGTH_MIN)
    return ends.findLast(({ length }) => this.#examine(() => isOne(plain.slice(0, length))))?.at ?? 0
  }

  #examine(isOne: () => boolean): boolean {
    return ++this.#examined > EXAMINED_MAX || isOne()
  }
}

/** The shortest of the kinds, such as `a@b.nl`. */
const LENGTH_MIN = 6
/** Digits of the shortest card; bank accounts are longer. */
const NUMBER_LENGTH_MIN = 13
/** E.164. */
const PHONE_DIGITS_MAX = 15
const ID = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w@])/i
const ID_LENGTH = 36
/** `Conversation.mark`. */
const MARK = /^(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})\.[\da-f]{6}$/
const DIGITS = /\d/
const AT = /@|%40/

// Each is linear: it begins where a word begins, and takes a bounded number of characters, or the word.
const EMAIL =
  /(?<![\p{L}\p{N}.!#$%'*+^_`{|}~-])[\p{L}\p{N}.!#$%'*+^_`{|}~-]+(?:@|(?<=%40))(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[\s\u2010-\u2015\u2212._/-]{0,2}[A-Z\d]){11,30}(?![\p{L}\p{N}])/giu
const CARD = /(?<![\p{L}\p{N}])[2-6]\d{3}(?:[\s\u2010-\u2015\u2212._/-]{0,2}\d){9,15}(?![\p{L}\p{N}])/gu
// Not after the minutes of a time, whose seconds have fractions.
const PHONE =
  /(?:(?<=%2B)|(?<![\p{L}\p{N}+]|\d:\d\d:)(?:\+ ?)?)\(?\d(?:(?:[\s\u2010-\u2015\u2212._()-]{0,4}|\s?\/\s?)\d){6,16}(?![\p{L}\p{N}])/giu
/** As `30.11.2026`, or `2026-11-30 12`. */
const DATE = /^(?:\d{1,2}[.\-/]\d{1,2}[.\-/]\d{4}|\d{4}-\d{2}-\d{2})(?!\d)/
/** A whole number, before a slash and another one; one after an area code is part of the number. */
const LISTED = /^(?:[^\d/]*\d){7,}[^\d/]*\//
/** As numbers of North America are written. */
const GROUPED = /^\d{3}[ .-]\d{3}[ .-]\d{4}(?!\d)/
const BARE = /^[1-9]\d{9,14}(?!\d)/

/** Longer than each of these may be. */
const HALF_CHARS_MAX = 330
const HALF_EMAIL = /(?<![^\s@<>])[^\s@<>]+(?:@|%40)[^\s@<>]*…$/
const HALF_IBAN =
  /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[\s\u2010-\u2015\u2212._/-]{0,2}[A-Z\d]){0,30}[\s\u2010-\u2015\u2212._/-]*…$/iu
const HALF_NUMBER = /[+(]?\d(?:[\s\u2010-\u2015\u2212._()/-]{0,4}\d){3,18}[\s\u2010-\u2015\u2212._()/-]*…$/u

const wholly = (found: string): number => found.length

/** Returns where each of the groups ends, and how many of their characters there are until then. */
function endsOf(found: string, groups: RegExp): { at: number; length: number }[] {
  let length = 0
  return Array.from(found.matchAll(groups), ({ 0: group, index }) => ({
    at: index + group.length,
    length: (length += group.length),
  }))
}

const isIban = (characters: string): boolean => validator.isIBAN(characters)
const isCard = (digits: string): boolean => validator.isLuhnNumber(digits)
