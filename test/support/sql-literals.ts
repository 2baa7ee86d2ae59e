/** A text or template in the source. */
export interface Literal {
  /** As it is written, with its quotes. */
  text: string
  /** The name of the function that it is given to, or nothing. */
  before: string
}

/** Reads the texts and templates of a source file, but for those in comments; what a template contains is part of it. */
export function literalsOf(source: string): Literal[] {
  const literals: Literal[] = []
  const add = (from: number, to: number): number => {
    const before = /[\w.]*(?=\(?\s*$)/.exec(source.slice(Math.max(0, from - 60), from))![0]
    literals.push({ text: source.slice(from, to), before })
    return to
  }
  for (let at = 0; at < source.length;) {
    const comment = /\/\/.*|\/\*[^]*?\*\//y
    const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y
    comment.lastIndex = quoted.lastIndex = at
    if (source[at] === '`') at = add(at, endOfTemplate(source, at))
    else if (comment.test(source)) at = comment.lastIndex
    else if (quoted.test(source)) at = add(at, quoted.lastIndex)
    else at++
  }
  return literals
}

function endOfTemplate(source: string, from: number): number {
  let depth = 0
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (depth === 0 && source[at] === '`') return at + 1
    else if (depth === 0 && source.startsWith('${', at)) depth = at++ && 1
    else if (depth > 0 && source[at] === '`') at = endOfTemplate(source, at) - 1
    else if (depth > 0) depth += source[at] === '{' ? 1 : source[at] === '}' ? -1 : 0
  }
  return source.length
}
