import type { Draft } from './store.js'

/**
 * The id of a message that is sent from a draft: of all tabs that show the draft the same, so that the server takes it once
 * when two of them send it in one moment. A UUIDv7 of the draft's time; other words are another message.
 */
export function idOfDraft({ key, text, at }: Draft): string {
  let [one, two] = [1, 2]
  for (const char of key + text) {
    const code = char.codePointAt(0)!
    one = Math.imul(one ^ code, 0x5bd1e995)
    two = Math.imul(two ^ code, 0x1b873593)
  }
  const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0')
  const time = at.toString(16).padStart(12, '0')
  const [first, second] = [hex(one), hex(two)]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${first.slice(0, 3)}-8${first.slice(3, 6)}-${first.slice(6)}${second}00`
}
