import type { Page, Query } from './list-query.js'

/** The end of a page, from its connection. */
export interface PageEnd {
  hasNextPage: boolean
  /** Null for a part of a whole list, which has no cursors. */
  endCursor: string | null
}

/**
 * Builds the `Link` to a list's next page (open points): absolute, with every reserved character percent-encoded,
 * including commas and semicolons, since clients split the header at them. Undefined on the last page.
 *
 * In addition to `offset` it has `after`, the cursor of the page's end, so that deep pages are as fast as the first.
 * @param path as requested, without the query
 */
export function nextLink(publicUrl: string, path: string, query: Query, page: Page, end: PageEnd): string | undefined {
  if (!end.hasNextPage) return undefined
  const offset = String(page.offset + page.limit)
  const after = end.endCursor === null ? {} : { after: `${offset}.${end.endCursor}` }
  const names = { ...query, limit: String(page.limit), offset, ...after }
  const parameters = Object.entries(names).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given ?? '']).map((value) => `${encode(name)}=${encode(value)}`),
  )
  return `<${publicUrl}${path}?${parameters.join('&')}>; rel="next"`
}

function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  return encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
