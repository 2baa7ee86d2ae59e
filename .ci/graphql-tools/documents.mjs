import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const SCHEMA = join(ROOT, 'schema.graphql')
export const FOLDERS = ['client/documents', 'web/operations']

/** The files of a folder, relative to the repository. Each is complete in itself. */
export function pathsOf(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.graphql'))
  return names.toSorted().map((name) => `${folder}/${name}`)
}

export const documentPaths = FOLDERS.flatMap(pathsOf)

export function read(path) {
  return readFileSync(join(ROOT, path), 'utf8')
}
