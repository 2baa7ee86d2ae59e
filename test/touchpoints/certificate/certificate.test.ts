import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { certify } from './certificate.js'
import { CERTIFIED } from './certified-providers.js'

/** More by `npm run certify`, which also writes the page. */
const COUNT = Number(process.env.INJECTIONS ?? 100)
const SEED = Number(process.env.SEED ?? 20_261_124)
/** Says only that it hangs. */
const TIMEOUT_MS = Math.max(300_000, COUNT * 5_000)
const PAGE = 'docs/architecture/certificates.md'

describe('a provider, with accidents injected into what passes between it and the server', () => {
  it.each(Object.entries(CERTIFIED))(
    '%s loses nothing, sends nothing twice, keeps the order, and tells no secret',
    async (type, start) => {
      const certificate = await certify(await start(), { seed: SEED, count: COUNT })
      const { injections, accidents, ...counts } = certificate
      expect(injections).toBe(COUNT)
      expect(Object.values(accidents).reduce((sum, each) => sum + each, 0)).toBe(COUNT)
      expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((name) => [name, 0])))
      if (process.env.CERTIFICATES === 'write') writeRow(type, injections, counts)
    },
    TIMEOUT_MS,
  )
})

/** Replaces the provider's row of the page. */
function writeRow(type: string, injections: number, counts: object): void {
  const lines = readFileSync(PAGE, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| \`${type}\` |`))
  const cells = [`\`${type}\``, injections, SEED, ...Object.values(counts)]
  lines[at] = `| ${cells.join(' | ')} |`
  writeFileSync(PAGE, lines.join('\n'))
}
