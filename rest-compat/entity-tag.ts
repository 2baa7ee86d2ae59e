import { BadUserInput, ChangedMeanwhile, quoteValue } from '../src/platform/errors.js'

/** Maximum of GraphQL's Int. No record has had so many changes. */
const VERSION_MAX = 2_147_483_647

/**
 * Returns the entity tag (RFC 9110, 8.8.3) of a version of a record. That of a conversation also has its mark: a change of
 * it is compared by the version, a message to it by the mark, which likes and names do not move.
 */
export function entityTag(version: number, mark: string | null = null): string {
  return mark === null ? `"${version}"` : `"${version}-${mark}"`
}

/**
 * Reads the version that `If-Match` names (RFC 9110, 13.1.1). Proxies that compress an answer make its tag weak, so
 * `W/"3"` is the same as `"3"`: a version is exact, whatever bytes showed it.
 * @returns undefined for `*`, which any version matches
 * @throws BadUserInput for what is not one tag; ChangedMeanwhile for a tag that no record can have
 */
export function readIfMatch(header: string): number | undefined {
  const tag = readTag(header)
  if (tag === undefined) return undefined
  const [own = ''] = tag.split('-', 1)
  const version = /^[1-9][0-9]{0,9}$/.test(own) ? Number(own) : null
  if (version === null || version > VERSION_MAX) throw unknownTag(tag)
  return version
}

/**
 * Reads the mark that `If-Match` names, in the tag of a conversation or by itself.
 * @returns undefined for `*`, which any state matches
 * @throws BadUserInput, ChangedMeanwhile as {@link readIfMatch}
 */
export function readMarkToMatch(header: string): string | undefined {
  const tag = readTag(header)
  if (tag === undefined) return undefined
  const [, mark] = /^(?:[1-9][0-9]{0,9}-)?([0-9]+\.[0-9]+\.[0-9a-f]+)$/.exec(tag) ?? []
  if (mark === undefined) throw unknownTag(tag)
  return mark
}

/** @returns undefined for `*` */
function readTag(header: string): string | undefined {
  const text = header.trim()
  if (text === '*') return undefined
  const [, tag] = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/.exec(text) ?? []
  if (tag !== undefined) return tag
  throw new BadUserInput(
    'If-Match',
    `If-Match must be the ETag of the record in its quotation marks, such as "3", or *, not ${text.slice(0, 100)}`,
  )
}

const unknownTag = (tag: string): ChangedMeanwhile =>
  new ChangedMeanwhile(`no record has the ETag ${quoteValue(`"${tag}"`)}: read the record again`)
