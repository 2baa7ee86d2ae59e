import type { Page, Query } from './list-query.js'

/**
 * `Link` of a list's next page (open points): absolute, every reserved character percent-encoded, commas and
 * semicolons too, since clients split the header at them. Undefined on the last page.
 * @param path as requested, without the query
 */
export function nextLink(publicUrl: string, path: string, query: Query, page: Page, total: number): string | undefined {
  const next = page.offset + page.limit
  if (next >= total) return undefined
  const names = { ...query, limit: String(page.limit), offset: String(next) }
  const parameters = Object.entries(names).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given ?? '']).map((value) => `${encode(name)}=${encode(value)}`),
  )
  return `<${publicUrl}${path}?${parameters.join('&')}>; rel="next"`
}

function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
