/** Tokens that nest (brackets), and those within which nothing nests (strings, comments). */
const TOKEN = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*|[{[(]|[}\])]/g

/**
 * Returns how deep brackets of any kind nest in a GraphQL source, valid or not. Checked before parsing, since parsers
 * recurse into selections, values and list types.
 */
export function sourceDepth(source: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '{' || token === '[' || token === '(') deepest = Math.max(deepest, ++depth)
    else if (token === '}' || token === ']' || token === ')') depth -= 1
  }
  return deepest
}
