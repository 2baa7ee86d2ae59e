import type { Context } from '../context.js'
import { Forbidden } from '../errors.js'
import { isAbsent, parseList, parseText } from '../input.js'

const TAGS_MAX = 100
const TAG_CHARS_MAX = 200

/** Parses the tags of a resource, without duplicates, in the order given; none when absent. @throws BadUserInput */
export function parseTags(value: unknown, field = 'tags'): string[] {
  if (isAbsent(value)) return []
  const tags = parseList(value, field, TAGS_MAX).map((tag, index) => {
    return parseText(tag, `${field}[${index}]`, { min: 1, max: TAG_CHARS_MAX })
  })
  return [...new Set(tags)]
}

/** Parses the tags of a new resource. @throws as {@link changeTags} */
export function newTags(ctx: Context, given: unknown): string[] {
  const tags = parseTags(given)
  requireTagWriter(ctx, null, tags)
  return tags
}

/**
 * Changes a resource's tags, if any are given. Requires an administrator (4.3, open points); sending the current tags
 * back changes nothing and is allowed. @throws Forbidden, BadUserInput
 */
export function changeTags(ctx: Context, record: { tags: string[] }, given: unknown): void {
  if (given === undefined) return
  const tags = parseTags(given)
  requireTagWriter(ctx, record.tags, tags)
  record.tags = tags
}

/**
 * Requires an administrator of a contact center (4.3): an organization's own tags decide which records of others it
 * reads, so it must not set them itself. @throws Forbidden
 */
export function requireOwnTagWriter(ctx: Context, present: Tags, wanted: Tags | undefined): void {
  if (wanted === undefined || areSame(present, wanted)) return
  ctx.require('tag.update')
  if (ctx.tenant.path.length > 1) {
    throw new Forbidden('tags of an organization are set by administrators of a level-1 organization')
  }
}

function requireTagWriter(ctx: Context, present: Tags, wanted: Tags): void {
  if (!areSame(present, wanted)) ctx.require('tag.update')
}

type Tags = readonly string[] | null

function areSame(present: Tags, wanted: Tags): boolean {
  return new Set(present ?? []).symmetricDifference(new Set(wanted ?? [])).size === 0
}
