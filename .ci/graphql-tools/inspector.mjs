import * as inspector from '@graphql-inspector/core'
import { buildSchema, parse, print, Source } from 'graphql'
import { readFileSync } from 'node:fs'
import { documentPaths, read, SCHEMA } from './documents.mjs'

const schema = buildSchema(readFileSync(SCHEMA, 'utf8'))
const sources = documentPaths.map((path) => new Source(read(path), path))

/** Documents against the schema, deprecated fields too. */
export function validate() {
  return sources.flatMap((source) =>
    inspector
      .validate(schema, [source], { strictDeprecated: true, strictFragments: true })
      .flatMap(({ source: { name }, errors, deprecated }) =>
        [...errors, ...deprecated].map(({ message }) => ({ rule: 'validate', where: name, message })),
      ),
  )
}

/**
 * Finds what would break a client of the last release, whose schema is kept without descriptions in released.graphql.
 */
export async function breaks() {
  const released = buildSchema(readFileSync(new URL('released.graphql', import.meta.url), 'utf8'))
  const changes = await inspector.diff(released, schema)
  return changes
    .filter(({ criticality }) => criticality.level === inspector.CriticalityLevel.Breaking)
    .map(({ type, path, message }) => ({ rule: type, where: path ?? '', message }))
}

/** Counts how much of the schema our own documents use. */
export function coverage() {
  const { stats } = inspector.coverage(schema, sources)
  const { numFields, numFieldsCovered, numTypes, numTypesCovered } = stats
  return `graphql-inspector: our documents use ${numFieldsCovered} of ${numFields} fields, ${numTypesCovered} of ${numTypes} types`
}

/** The schema as a release keeps it. */
export function withoutDescriptions() {
  const bare = parse(readFileSync(SCHEMA, 'utf8'), { noLocation: true })
  return `${print(JSON.parse(JSON.stringify(bare, (key, value) => (key === 'description' ? undefined : value))))}\n`
}
