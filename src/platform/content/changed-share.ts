/**
 * Tells how much of a text was changed: the share of the words of both texts, each as often as it occurs, that only one of them
 * has. 0 if only their order or the space between them differs, 1 if no word is left. Reads each text once: a message of the
 * greatest length takes some milliseconds, whatever it says.
 */
export function changedShare(before: string, after: string): number {
  if (before === after) return 0
  const counts = new Int32Array(1 << Math.ceil(Math.log2(4 * Math.max(before.length, after.length))))
  const all = countWords(before, counts, 1) + countWords(after, counts, -1)
  let different = 0
  for (let place = 0; place < counts.length; place++) different += Math.abs(counts[place]!)
  return all === 0 ? 0 : different / all
}

/** FNV-1a. */
const BASIS = 0x811c9dc5 | 0
const PRIME = 0x01000193

/**
 * Adds the words to the counts, by their hashes: signs count for themselves, and so do characters of scripts without spaces. Words that
 * share a place are rare: there are at least four for each.
 * @returns the number of words
 */
function countWords(text: string, counts: Int32Array, add: 1 | -1): number {
  const mask = counts.length - 1
  let words = 0
  let hash = BASIS
  for (let index = 0; index <= text.length; index++) {
    // The end of the text ends a word as well.
    const code = index < text.length ? text.charCodeAt(index) : SPACE
    const isOfWord = isLetter(code)
    if (!isOfWord && hash !== BASIS) {
      counts[(hash ^ (hash >>> 15)) & mask]! += add
      hash = BASIS
      words++
    }
    if (isOfWord) hash = Math.imul(hash ^ code, PRIME)
    else if (!isSpace(code)) {
      counts[Math.imul(code, PRIME) & mask]! += add
      words++
    }
  }
  return words
}

const SPACE = 0x20
const isSpace = (code: number): boolean => code <= SPACE || code === 0xa0 || code === 0x3000

/** ASCII letters and digits, and all beyond ASCII but the scripts of East Asia, in which a character is about a word. */
function isLetter(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
  const isOfEastAsia = code >= 0x2e80 && code < 0xd800
  const isHangul = code >= 0xac00 && code < 0xd7b0
  return code !== 0xa0 && (!isOfEastAsia || isHangul)
}
