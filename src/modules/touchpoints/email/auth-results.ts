/** One thing that a mail server found out about a mail, from its `Authentication-Results` (RFC 8601). */
export interface AuthResult {
  /** `dmarc`, `dkim`, `spf` or another, in lower case. */
  method: string
  /** `pass`, `fail`, `none`, `temperror` or another, in lower case. */
  result: string
  /** Value by `ptype.property`, such as `header.from`, in lower case. */
  properties: ReadonlyMap<string, string>
}

export interface Header {
  /** In lower case. */
  key: string
  value: string
}

const CHARS_MAX = 16_384
const RESULTS_MAX = 50

/**
 * Reads the results that a trusted mail server put on top of a mail: of its headers those of the first of the hosts
 * that is found, down to the next `Received`; of a method, those of the topmost header that tells of it. Whatever else
 * claims to be of it came with the mail, or is of a host nobody named. @param hosts in lower case @returns null where none of them says anything
 */
export function trustedResults(headers: readonly Header[], hosts: readonly string[]): AuthResult[] | null {
  if (hosts.length === 0) return null
  let trusted: string | null = null
  const found: AuthResult[] = []
  const told = new Set<string>()
  for (const { key, value } of headers) {
    if (key === 'received' && trusted !== null) break
    if (key !== 'authentication-results') continue
    const [host, ...parts] = plain(value.slice(0, CHARS_MAX)).split(';')
    const name = host!.trim().split(/\s+/, 1)[0]!.toLowerCase()
    if (trusted === null ? !hosts.includes(name) : name !== trusted) continue
    trusted = name
    const results = parts.map(resultOf).filter((each) => each !== null)
    found.push(...results.filter(({ method }) => !told.has(method)))
    for (const { method } of results) told.add(method)
  }
  return trusted === null ? null : found.slice(0, RESULTS_MAX)
}

function resultOf(part: string): AuthResult | null {
  const [head = '', ...rest] = part.trim().toLowerCase().split(/\s+/)
  const [method, result] = head.split('=', 2)
  if (!method || !result) return null
  const properties = rest.map((each) => each.split('=', 2)).filter((pair) => pair.length === 2) as [string, string][]
  // The first one counts, as the topmost header does.
  return { method: method.split('/', 1)[0]!, result, properties: new Map(properties.toReversed()) }
}

/** Takes comments out, and out of quoted text what would part it. */
function plain(value: string): string {
  let text = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at += 1) {
    const char = value[at]!
    if (char === '\\' && (isQuoted || depth > 0)) at += 1
    else if (char === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) text += /[\s;=]/.test(char) ? '_' : char
    else if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) text += char
  }
  return text.replace(/\s*([=/.])\s*/g, '$1')
}
