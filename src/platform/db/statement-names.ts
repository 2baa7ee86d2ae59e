/** Limited because prepared statements cost memory on every connection. */
const NAMES_MAX = 200

/** Not of `last`, a subselect that names its columns. */
const ALL_COLUMNS = /\b(?!last\.)[a-z]\w*\.\*/

const names = new Map<string, string>()

/**
 * Returns a name for a statement composed by our own code, so that each connection parses and plans it once: that costs
 * more than running most of them. Undefined once the limit is reached. Not for texts that depend on a client's input:
 * filters have unlimited variants. Undefined also for those that return all columns of a table: a migration adds to them, and
 * what is prepared cannot return more.
 */
export function statementName(text: string): string | undefined {
  if (ALL_COLUMNS.test(text)) return undefined
  let name = names.get(text)
  if (name === undefined && names.size < NAMES_MAX) names.set(text, (name = `made-${names.size}`))
  return name
}
