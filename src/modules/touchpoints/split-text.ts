/**
 * Splits a text into parts of at most `max` UTF-16 units: at the last blank line, line end or space in the second half
 * of what fits, else anywhere except within a character. Removes white space around the cuts.
 */
export function splitText(text: string, max: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > max) {
    const end = cutAt(rest, max)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

/** Truncates to `max` units, ending with an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, withinCharacter(text, max - 1) ? max - 2 : max - 1).trimEnd()}…`
}

function cutAt(text: string, max: number): number {
  // One more: white space right after the limit is a place to cut too.
  const room = text.slice(0, max + 1)
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = room.lastIndexOf(separator)
    if (at >= max / 2) return at
  }
  return withinCharacter(text, max) ? max - 1 : max
}

function withinCharacter(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
}
