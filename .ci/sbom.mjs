// Writes the bill of materials of what an installation runs, in CycloneDX format. `npm sbom --omit dev` leaves out what a
// workspace develops with, even where the server runs it, such as graphql: the lock file's own marks are right.
import { execFileSync } from 'node:child_process'

const MARK = 'cdx:npm:package:development'

const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
const { components, dependencies, ...rest } = JSON.parse(text)
const kept = components.filter(({ properties = [] }) => !properties.some(({ name }) => name === MARK))
const refs = new Set([rest.metadata.component['bom-ref'], ...kept.map((component) => component['bom-ref'])])
const dependenciesOfKept = dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
process.stdout.write(`${JSON.stringify({ ...rest, components: kept, dependencies: dependenciesOfKept }, null, 2)}\n`)
