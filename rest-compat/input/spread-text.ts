import { isObject } from './input-reader.js'

/**
 * Restores the texts of messages that the legacy client was given as strings: it spreads each into an object of its
 * letters, `{"0": "H", "1": "i"}`, if called as documented (`say(['Hello', 'How are you?'])`).
 */
export function joinSpreadTexts(body: unknown): unknown {
  return Array.isArray(body) ? body.map(joinSpreadText) : body
}

function joinSpreadText(message: unknown): unknown {
  if (!isObject(message) || !Object.hasOwn(message, '0') || Object.hasOwn(message, 'text')) return message
  const letters: string[] = []
  const rest = { ...message }
  for (let index = 0; ; index++) {
    const letter = rest[index]
    if (typeof letter !== 'string' || letter.length !== 1) break
    letters.push(letter)
    delete rest[index]
  }
  return { ...rest, text: letters.join('') }
}
