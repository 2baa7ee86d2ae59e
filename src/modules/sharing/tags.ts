import type { Context } from '../../platform/context.js'
import { Forbidden } from '../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../platform/input.js'

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

/**
 * Requires an administrator of a contact center (4.3): an organization's own tags decide which records of others it
 * reads, so it must not set them itself. @throws Forbidden
 */
export function requireOwnTagWriter(ctx: Context, present: Tags, wanted: Tags | undefined): void {
  if (wanted === undefined || areSame(present, wanted)) return
  ctx.require('tag.update')
  if (ctx.tenant.path.length > 1) {
    throw new Forbidden('tags of an organization are set by administrators of the contact center', {
      reason: 'CENTER_ADMIN_REQUIRED',
    })
  }
}

type Tags = readonly string[] | null

function areSame(present: Tags, wanted: Tags): boolean {
  return new Set(present ?? []).symmetricDifference(new Set(wanted ?? [])).size === 0
}
