import { readdirSync, readFileSync } from 'node:fs'

/** A test that says of a row that it would fail if the row did not hold. */
export interface Citation {
  row: string
  test: string
  file: string
  line: number
}

const HEAD = /^\s*(?:it|test)(?:\.each\b.*)?(?:\(|<|$)/
const CITED = /\[(\d+(?:\.\d+)?) ([^\][]+)\]/g

/**
 * Reads the citations of all tests: `[2.2 email, phone]` in a comment above a test or within it, or in its name. A
 * comment above may go on over several lines.
 */
export function readCitations(tests: URL): Citation[] {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => citationsOf(name, readFileSync(new URL(name, tests), 'utf8').split('\n')))
}

function citationsOf(file: string, lines: readonly string[]): Citation[] {
  const citations: Citation[] = []
  const heads = lines.flatMap((line, index) => (HEAD.test(line) ? [index] : []))
  for (let index = 0; index < lines.length; index++) {
    const isComment = isCommentLine(lines[index])
    let said = saidIn(lines[index]!)
    const line = index + 1
    if (isComment) while (isCommentLine(lines[index + 1])) said += ` ${saidIn(lines[++index]!)}`
    const rows = [...said.matchAll(CITED)].flatMap(([, section, keys]) =>
      keys!.split(',').map((key) => `${section} ${key.trim()}`),
    )
    if (rows.length === 0) continue
    const head = isComment && HEAD.test(lines[index + 1] ?? '') ? index + 1 : heads.findLast((at) => at <= index)
    const isOfDescribe = isComment && /^\s*describe\b/.test(lines[index + 1] ?? '')
    if (head === undefined || isOfDescribe) throw new Error(`test/${file}:${line} cites outside a test`)
    const test = nameOf(lines, head)
    citations.push(...rows.map((row) => ({ row, test, file, line })))
  }
  return citations
}

function isCommentLine(line: string | undefined): boolean {
  return line?.trim().startsWith('//') ?? false
}

/** A line's comment, or the name of a test. */
function saidIn(line: string): string {
  const comment = /(?:^|\s)\/\/ (.*)$/.exec(line)
  if (comment) return comment[1]!
  return HEAD.test(line) || /^\s*\]?\)\(['"`]/.test(line) ? line : ''
}

function nameOf(lines: readonly string[], head: number): string {
  const quoted = /\((['"`])(.*?)(?<!\\)\1/
  const own = quoted.exec(lines[head]!)
  if (own && !lines[head]!.includes('.each')) return own[2]!
  const later = lines.slice(head, head + 200).find((line) => /\)\(\s*['"`]/.test(line)) ?? ''
  return (/\)\(\s*(['"`])(.*?)(?<!\\)\1/.exec(later)?.[2] ?? own?.[2]) || lines[head]!.trim()
}
