// Compares openapi.json with agreed.json, the interface that clients were promised: what breaks them fails. Additions are
// free. `node breaking.mjs agree` promises what openapi.json has now: a deliberate step, seen in review.
import { readFileSync, writeFileSync } from 'node:fs'
import { apiDiff } from 'api-smart-diff'

const at = (path) => new URL(path, import.meta.url)
const AGREED = at('agreed.json')
const TEXTS = new Set(['description', 'summary', 'example'])

/** Leaves out what breaks no client; a property may have the name of a text. */
function bare(node, isMap = false) {
  if (Array.isArray(node)) return node.map((member) => bare(member))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(([key]) => isMap || !TEXTS.has(key))
  return Object.fromEntries(members.map(([key, member]) => [key, bare(member, !isMap && key === 'properties')]))
}

const document = bare(JSON.parse(readFileSync(at('../../openapi.json'), 'utf8')))
if (process.argv[2] === 'agree') {
  writeFileSync(AGREED, `${JSON.stringify(document)}\n`)
} else {
  const changes = apiDiff(JSON.parse(readFileSync(AGREED, 'utf8')), document)
  const breaks = changes.filter(({ type }) => type === 'breaking')
  for (const { action, path } of breaks) process.stderr.write(`breaks clients: ${action} ${path.join('/')}\n`)
  process.stdout.write(`breaking changes: ${breaks.length} of ${changes.length} changes\n`)
  if (breaks.length > 0) process.exit(1)
}
