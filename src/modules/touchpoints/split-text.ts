/** The way in which a platform counts a text. */
export interface TextMeasure {
  sizeOf(text: string): number
  /** Returns the length, in UTF-16 units, of the longest start that is not larger than `max`; at least that of one code point. */
  fitting(text: string, max: number): number
}

export const IN_UNITS: TextMeasure = {
  sizeOf: (text) => text.length,
  fitting: (text, max) => Math.min(text.length, Math.max(withinPair(text, max) ? max - 1 : max, lengthOfFirst(text))),
}

/** Bytes of UTF-8. */
export const IN_BYTES: TextMeasure = {
  sizeOf: (text) => Buffer.byteLength(text),
  fitting(text, max) {
    let [length, bytes] = [0, 0]
    for (const point of text) {
      bytes += Buffer.byteLength(point)
      if (bytes > max && length > 0) break
      length += point.length
    }
    return length
  },
}

/** Characters as people see them: several code points may be one, such as those of a flag. */
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** A character that goes on for longer than that behind a cut is cut. */
const LOOK_AHEAD = 64

/**
 * Splits a text into parts of at most `max`: at the last blank line, line end or space in the second half of what fits,
 * else anywhere except within a character, unless that alone is larger. Removes white space around the cuts.
 */
export function splitText(text: string, max: number, measure: TextMeasure = IN_UNITS): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (measure.sizeOf(rest) > max) {
    const end = cutAt(rest, measure.fitting(rest, max))
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

/** Truncates to `max` units, ending with an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, beforeCharacter(text, max - 1)).trimEnd()}…`
}

/** @param fitting length of what fits */
function cutAt(text: string, fitting: number): number {
  // One more: white space right after the limit is a place to cut too.
  const room = text.slice(0, fitting + 1)
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = room.lastIndexOf(separator)
    if (at >= fitting / 2) return at
  }
  return beforeCharacter(text, fitting)
}

/** Returns `at`, or the beginning of the character that is around it, if anything is before that. */
function beforeCharacter(text: string, at: number): number {
  const around = text.slice(0, at + LOOK_AHEAD)
  const begin = CHARACTERS.segment(around).containing(at)?.index ?? at
  if (begin > 0) return begin
  return withinPair(text, at) && at > 1 ? at - 1 : at
}

function withinPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
}

const lengthOfFirst = (text: string): number => (text === '' ? 0 : String.fromCodePoint(text.codePointAt(0)!).length)
