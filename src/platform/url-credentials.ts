/**
 * Credentials in URLs. They are read with the parser that requests are sent with (WHATWG URL): it accepts
 * `https:///user:password@host`, white space and backslashes, so that a pattern of our own would miss some of them.
 */

/** For a text that is no URL yet looks like one with credentials, such as one with an invalid port. */
const UNPARSABLE = /^(\s*[a-z][a-z0-9+.-]*:[\\/]*[^\s\\/?#:@]*):.*@/is

/** Returns the URL without its password, in normal form: `https://user@host/`; any other text unchanged. */
export function withoutPassword(text: string): string {
  if (!text.includes('@')) return text
  const url = URL.parse(text)
  if (url === null) return text.replace(UNPARSABLE, '$1@')
  // The parser takes such a text for a path: `user:password@host` has the scheme `user`.
  if (url.username === '' && url.password === '') return text
  url.password = ''
  return url.href
}

/** Characters at the end of a secret address by which people tell it from others. */
const END_CHARS = 4

/**
 * Returns the URL with a mask in place of its path and query, but for the last characters: of addresses that let in whoever knows them.
 * Any other text unchanged.
 */
export function withoutPath(text: string, mask: string): string {
  const url = URL.parse(text)
  if (url === null || !url.host) return text
  const rest = `${url.pathname}${url.search}${url.hash}`
  const user = url.username === '' ? '' : `${url.username}@`
  return `${url.protocol}//${user}${url.host}/${mask}${rest.length > 4 * END_CHARS ? rest.slice(-END_CHARS) : ''}`
}

/** Returns the decoded password of a URL; null if the text has none or is no URL. */
export function passwordOf(text: string): string | null {
  const password = text.includes('@') ? URL.parse(text)?.password : undefined
  return password ? decoded(password) : null
}

/** Returns the decoded user name of a URL; '' if there is none. */
export function userOf(text: string): string {
  return decoded(URL.parse(text)?.username ?? '')
}

/** Tells whether the sender can decode user name and password: `%` must begin an escape of UTF-8. */
export function areCredentialsDecodable({ username, password }: URL): boolean {
  return [username, password].every(isDecodable)
}

function decoded(text: string): string {
  return isDecodable(text) ? decodeURIComponent(text) : text
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
