/** Prepared statements cost memory on every connection. */
const NAMES_MAX = 200

const names = new Map<string, string>()

/**
 * A name for a statement made of our own parts, so that each connection parses and plans it once: that costs more than
 * most such statements do. The first texts get one, later ones none. Not for a text that a client shapes: filters have
 * no end of shapes.
 */
export function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < NAMES_MAX) names.set(text, (name = `made-${names.size}`))
  return name
}
