import type { MessengerPart } from './messenger-parts.js'

/** Of web views: what only sites take that the page has registered with the platform. */
const EXTENSION_KEYS: ReadonlySet<string> = new Set(['messenger_extensions', 'fallback_url'])

/** The part with its web views as ordinary pages; null when it has none that ask for more. */
export function withoutExtensions(part: MessengerPart): MessengerPart | null {
  let found = false
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (!EXTENSION_KEYS.has(key)) return value
    found = true
    return undefined
  })
  return found ? (JSON.parse(text) as MessengerPart) : null
}
