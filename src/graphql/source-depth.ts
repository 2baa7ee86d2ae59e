/** Where a name or number ends and something that nests, or a text in which nothing does, begins. */
const TOKEN = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*|[{[(]|[}\])]/g

/**
 * How deep brackets of any kind nest in a GraphQL source, right or wrong. Known before it is parsed, since parsers
 * recurse: into selections, into values, into types of lists.
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
