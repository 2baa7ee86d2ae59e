/** The text being typed for which something could be suggested: the last word that begins with one of these. */
export interface Trigger {
  sign: ';' | '/' | '@' | '>'
  from: number
  query: string
}

/** Returns what is being typed before the caret, if something may be suggested for it. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  const whole = /^([/>])([^\n]*)$/.exec(before)
  if (whole) return { sign: whole[1] as Trigger['sign'], from: 0, query: whole[2]! }
  const word = /(?:^|\s)([;@])([^\s;@]*)$/.exec(before)
  if (!word) return null
  return { sign: word[1] as Trigger['sign'], from: caret - word[2]!.length - 1, query: word[2]! }
}
