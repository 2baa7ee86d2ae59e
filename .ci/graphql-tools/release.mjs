// Keeps the schema of a release, against which later ones are compared.
import { writeFileSync } from 'node:fs'
import { withoutDescriptions } from './inspector.mjs'

writeFileSync(new URL('released.graphql', import.meta.url), withoutDescriptions())
