/** Limited because prepared statements cost memory on every connection. */
const NAMES_MAX = 200

const names = new Map<string, string>()

/**
 * Returns a name for a statement composed by our own code, so that each connection parses and plans it once: that costs
 * more than running most of them. Undefined once the limit is reached. Not for texts that depend on a client's input:
 * filters have unlimited variants.
 */
export function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < NAMES_MAX) names.set(text, (name = `made-${names.size}`))
  return name
}
