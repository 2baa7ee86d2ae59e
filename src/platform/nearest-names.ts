/** Returns the known names most similar to a wrong one, the most similar first. */
export function nearestNames(wrong: string, known: readonly string[], max: number): string[] {
  return known
    .map((name) => [distanceOf(wrong, name), name] as const)
    .toSorted(([near], [far]) => near - far)
    .slice(0, max)
    .map(([, name]) => name)
}

/** Levenshtein distance: the number of letters to insert, delete or replace. Callers bound the lengths. */
export function distanceOf(wrong: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, index) => index)
  for (let at = 0; at < wrong.length; at++) {
    const next = [at + 1]
    for (let to = 0; to < name.length; to++) {
      const replaced = row[to]! + (wrong[at] === name[to] ? 0 : 1)
      next.push(Math.min(replaced, row[to + 1]! + 1, next[to]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}

const CHARS_MAX = 100

/**
 * Names the known name for which a wrong one may stand, as a clause of a message; empty if none is near. Neither case nor
 * underscores count: `family_name` is near to `familyName`.
 */
export function nearestHint(wrong: string, known: readonly string[]): string {
  const plain = (name: string): string => name.slice(0, CHARS_MAX).replaceAll(/[_-]/g, '').toLowerCase()
  const given = plain(wrong)
  let nearest: string | undefined
  // Two letters that changed places differ by two.
  let least = Math.max(given.length > 3 ? 2 : 1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const other = plain(name)
    if (Math.abs(other.length - given.length) >= least) continue
    const distance = distanceOf(given, other)
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest === undefined ? '' : `; the nearest is ${nearest}`
}
