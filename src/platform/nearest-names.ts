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
