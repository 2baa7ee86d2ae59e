/** As many as a response with a thousand groups has: the library's time grows by the square of their number. */
const ELEMENTS_MAX = 1_200
const DEPTH_MAX = 50
const ATTRIBUTES_MAX = 50

/**
 * Tells in one pass whether a text is XML of few elements, as a parser will find them: each closed by its own name, attributes in
 * quotes, and none of the marks that only documents of other kinds need. Parsers read the rest leniently, and slowly.
 */
export function isBoundedXml(xml: string): boolean {
  const open: string[] = []
  let elements = 0
  let at = xml.indexOf('<')
  if (xml.startsWith('<?xml ')) at = xml.indexOf('<', 1)
  while (at >= 0) {
    const end = endOfTag(xml, at)
    if (end === null) return false
    const name = /^\/?[A-Za-z_][\w.:-]*(?=[\s/>])/.exec(xml.slice(at + 1, Math.min(end + 1, at + 200)))?.[0]
    if (name === undefined) return false
    if (name.startsWith('/')) {
      if (open.pop() !== name.slice(1)) return false
    } else {
      elements++
      if (xml[end - 1] !== '/') open.push(name)
      if (elements > ELEMENTS_MAX || open.length > DEPTH_MAX) return false
    }
    at = xml.indexOf('<', end)
  }
  return elements > 0 && open.length === 0
}

/** The place of the `>` that ends a tag; null for one that is none, or has too many attributes. */
function endOfTag(xml: string, start: number): number | null {
  let attributes = 0
  for (let at = start + 1; at < xml.length; at++) {
    const char = xml[at]
    if (char === '>') return at
    if (char === '<' || char === '"' || char === "'") return null
    if (char !== '=') continue
    const quote = xml[at + 1]
    if ((quote !== '"' && quote !== "'") || ++attributes > ATTRIBUTES_MAX) return null
    at = xml.indexOf(quote, at + 2)
    if (at < 0) return null
  }
  return null
}
