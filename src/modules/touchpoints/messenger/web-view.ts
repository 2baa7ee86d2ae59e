import type { HubPart } from '../hub-parts.js'

/** Keys of web views that the platform accepts only for sites registered with the page. */
const EXTENSION_KEYS: ReadonlySet<string> = new Set(['messenger_extensions', 'fallback_url'])

/** Returns the part with its web views as ordinary links; null when it has none with extensions. */
export function withoutExtensions(part: HubPart): HubPart | null {
  let found = false
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (!EXTENSION_KEYS.has(key)) return value
    found = true
    return undefined
  })
  return found ? (JSON.parse(text) as HubPart) : null
}
