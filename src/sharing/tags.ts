import type { Context } from '../context.js'
import { Forbidden } from '../errors.js'
import { isAbsent, parseList, parseText } from '../input.js'

const TAGS_MAX = 100
const TAG_CHARS_MAX = 200

/** The tags of a resource, each once, in the order given; none when absent. @throws BadUserInput */
export function parseTags(value: unknown, field = 'tags'): string[] {
  if (isAbsent(value)) return []
  const tags = parseList(value, field, TAGS_MAX).map((tag, index) => {
    return parseText(tag, `${field}[${index}]`, { min: 1, max: TAG_CHARS_MAX })
  })
  return [...new Set(tags)]
}

/**
 * Tags decide who reads what of whom: an organization that could tag itself would read what others share with that tag,
 * and one that could tag its articles would put them before its neighbours. So only administrators of a contact center
 * set them, in the API as in the user interface (4.3). Sending the present tags back changes nothing and is let
 * through.
 * @throws Forbidden
 */
export function requireTagWriter(
  ctx: Context,
  present: readonly string[] | null,
  wanted: readonly string[] | null | undefined,
): void {
  if (wanted === undefined || areSame(present ?? [], wanted ?? [])) return
  ctx.require('tag.update')
  if (ctx.tenant.path.length > 1) throw new Forbidden('tags are set by administrators of a level-1 organization')
}

function areSame(present: readonly string[], wanted: readonly string[]): boolean {
  return new Set(present).symmetricDifference(new Set(wanted)).size === 0
}
