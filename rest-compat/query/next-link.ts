import type { Page, Query } from './list-query.js'

/** Where a page ends, as its connection tells. */
export interface PageEnd {
  hasNextPage: boolean
  endCursor: string | null
}

/**
 * `Link` of a list's next page (open points): absolute, every reserved character percent-encoded, commas and
 * semicolons too, since clients split the header at them. Undefined on the last page.
 *
 * Beside `offset` it has `after`: the place where this page ends, at which the next one begins at once, however deep.
 * @param path as requested, without the query
 */
export function nextLink(publicUrl: string, path: string, query: Query, page: Page, end: PageEnd): string | undefined {
  if (!end.hasNextPage || end.endCursor === null) return undefined
  const offset = String(page.offset + page.limit)
  const names = { ...query, limit: String(page.limit), offset, after: `${offset}.${end.endCursor}` }
  const parameters = Object.entries(names).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given ?? '']).map((value) => `${encode(name)}=${encode(value)}`),
  )
  return `<${publicUrl}${path}?${parameters.join('&')}>; rel="next"`
}

function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
