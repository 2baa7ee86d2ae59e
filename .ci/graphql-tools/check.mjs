// Runs the tools of client developers on schema.graphql and on our documents. Each reports what it found; what it may find
// stands in exceptions.mjs with its reason, and an exception that excuses nothing fails as well.
import { spawnSync } from 'node:child_process'
import { rmSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileDocuments } from './codegen.mjs'
import { EXCEPTIONS } from './exceptions.mjs'
import { breaks, coverage, validate } from './inspector.mjs'
import { lintDocuments, lintSchema } from './lint.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
rmSync(`${HERE}made`, { recursive: true, force: true })
mkdirSync(`${HERE}made/relay`, { recursive: true })

/** Fails with what it printed. */
function run(...command) {
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', ...command], { cwd: HERE, encoding: 'utf8' })
  return status === 0 ? [] : [{ where: command.join(' '), message: `${stdout}${stderr}` }]
}

/** Each answers with what it found: `{where, message, rule}`; `where` is a coordinate of the schema or a place in a document. */
const TOOLS = {
  'relay-compiler': () => run('relay-compiler', 'relay.config.json'),
  'gql.tada': () =>
    [
      ['gql-tada', 'generate-output', '-c', 'tada/tsconfig.json'],
      ['gql-tada', 'check', '-c', 'tada/tsconfig.json'],
      ['tsc', '-p', 'tada'],
    ].flatMap((command) => run(...command)),
  'graphql-codegen': async () => {
    await compileDocuments(`${HERE}made/codegen`)
    return run('tsc', '-p', 'codegen.tsconfig.json')
  },
  'graphql-eslint: schema': lintSchema,
  'graphql-eslint: documents': lintDocuments,
  'graphql-inspector: validate': validate,
  'graphql-inspector: breaks since the last release': breaks,
}

const unused = new Set(EXCEPTIONS)
let failures = 0
for (const [name, tool] of Object.entries(TOOLS)) {
  const since = performance.now()
  const found = await tool()
  const left = found.filter((finding) => {
    const excused = EXCEPTIONS.find(({ tool: of, rule, where }) => {
      return of === name && rule === finding.rule && where.test(finding.where)
    })
    if (excused) unused.delete(excused)
    return !excused
  })
  const seconds = ((performance.now() - since) / 1_000).toFixed(1)
  console.log(`${name}: ${left.length} errors, ${found.length - left.length} written-down exceptions, ${seconds} s`)
  for (const { rule = '', where, message } of left) console.error(`  ${where} ${rule} ${message}`)
  failures += left.length
}
for (const { tool, rule, where } of unused) console.error(`an exception that excuses nothing: ${tool} ${rule} ${where}`)
console.log(coverage())
process.exitCode = failures + unused.size > 0 ? 1 : 0
