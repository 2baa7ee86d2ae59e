// Makes TypeScript of `schema.graphql` and of the documents of the pages (`operations/`) and of the client package
// (`client/documents/`): each document as a string with the types of its data and variables, so that an operation that the
// schema no longer has fails the compiler. A file of operations is complete in itself, so that a page loads the documents
// that it uses and no others.
// `node web/generate.mjs` writes them; with `--check` it fails when a file is not what it would write.
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const isCheck = process.argv.includes('--check')
const schema = parse(await readFile(at('../schema.graphql'), 'utf8'))
const HEAD = '// Made by web/generate.mjs of schema.graphql and the documents: do not edit.\n'
/** Folders of documents, and where what is made of them goes. */
const PACKAGES = [
  { documents: 'operations', target: 'shared/graphql', typedDocument: '@switchboard/client' },
  { documents: '../client/documents', target: '../client/src/generated', typedDocument: '../typed-document.js' },
]

/** A document for each operation, with the fragments that it uses and nothing that a server does not need. */
const documentsOf = (typedDocument) => ({
  plugin: (_schema, files) => {
    const definitions = files.flatMap(({ document }) => document.definitions)
    const fragments = new Map(
      definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((each) => [each.name.value, each]),
    )
    const used = (definition, names = new Set()) => {
      visit(definition, {
        FragmentSpread({ name: { value } }) {
          if (names.has(value)) return
          names.add(value)
          used(fragments.get(value), names)
        },
      })
      return names
    }
    const content = definitions
      .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
      .map((definition) => {
        const parts = [definition, ...[...used(definition)].map((name) => fragments.get(name))]
        const name = definition.name.value
        const text = stripIgnoredCharacters(parts.map(print).join('\n'))
        const types = `${name}${kindOf(definition)}`
        return `export const ${name}Document = ${JSON.stringify(text)} as TypedDocument<${types}, ${types}Variables>\n`
      })
    return { prepend: [`import type { TypedDocument } from '${typedDocument}'`], content: content.join('\n') }
  },
})

const kindOf = ({ operation }) => operation[0].toUpperCase() + operation.slice(1)

async function generate({ documents, target, typedDocument }, name) {
  const location = `${documents}/${name}.graphql`
  const document = parse(await readFile(at(location), 'utf8'))
  return (
    HEAD +
    (await codegen({
      filename: at(`${target}/${name}.ts`),
      schema,
      documents: [{ location, document }],
      config: {
        enumType: 'string-literal',
        skipTypename: true,
        namingConvention: 'keep',
        arrayInputCoercion: false,
        disableDescriptions: true,
        scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown', JSONObject: 'Record<string, unknown>' },
      },
      plugins: [{ operations: {} }, { documents: {} }],
      pluginMap: { operations, documents: documentsOf(typedDocument) },
    }))
  )
}

/** What caches and error handlers need to know of the schema. */
function schemaFacts() {
  const { definitions } = schema
  const of = (kind) =>
    definitions.filter((each) => each.kind === kind).toSorted((a, b) => (a.name.value < b.name.value ? -1 : 1))
  const objects = of(Kind.OBJECT_TYPE_DEFINITION)
  const possible = {}
  for (const { name, types } of of(Kind.UNION_TYPE_DEFINITION))
    possible[name.value] = types.map((type) => type.name.value)
  for (const { name } of of(Kind.INTERFACE_TYPE_DEFINITION)) {
    const implementing = objects.filter(({ interfaces }) => interfaces.some((each) => each.name.value === name.value))
    possible[name.value] = implementing.map((object) => object.name.value)
  }
  const isKeyless = ({ name, fields }) =>
    !['Query', 'Mutation', 'Subscription'].includes(name.value) && !fields.some((field) => field.name.value === 'id')
  const keyless = objects.filter(isKeyless).map(({ name }) => name.value)
  const named = (type) => (type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type))
  const isList = ({ type }) => type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type))
  const objectNames = new Set(objects.map(({ name }) => name.value))
  const lists = {}
  for (const { name, fields } of objects) {
    const own = fields.filter(
      (field) => isList(field) && (objectNames.has(named(field.type)) || named(field.type) in possible),
    )
    const isKept = !/(?:Connection|Snapshot|SnapshotPage|Changed)$/.test(name.value)
    if (own.length > 0 && isKept) lists[name.value] = own.map((field) => field.name.value)
  }
  const connections = keyless.filter((each) => each.endsWith('Connection'))
  const events = new Set(possible.StreamEvent)
  const parts = keyless.filter((each) => !/(?:Connection|Edge)$/.test(each) && !events.has(each))
  const codes = of(Kind.ENUM_TYPE_DEFINITION).find(({ name }) => name.value === 'ErrorCode').values
  const json = (value) => JSON.stringify(value, null, 2)
  return `${HEAD}
/** Codes of refusals (\`extensions.code\`). */
export type ErrorCode = ${codes.map(({ name }) => `'${name.value}'`).join(' | ')}

/** The types of each interface and union. */
export const POSSIBLE_TYPES = ${json(possible)}

/** Types without an \`id\`: they are parts of what they stand in. */
export const KEYLESS_TYPES: readonly string[] = ${json(keyless)}

/** Of those, pages of lists. */
export const CONNECTION_TYPES: readonly string[] = ${json(connections)}

/** Of those, parts of records. */
export const PART_TYPES: readonly string[] = ${json(parts)}

/** Fields that are lists of objects: a list replaces the one before. */
export const LIST_FIELDS: Readonly<Record<string, readonly string[]>> = ${json(lists)}
`
}

/** Each object type's and interface's fields with their types, as short as a cache can read them. */
function typeFields() {
  const kinds = [Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION]
  const types = schema.definitions.filter(({ kind }) => kinds.includes(kind))
  const lines = types.map(({ name, fields }) => {
    return `  ${name.value}: '${fields.map((field) => `${field.name.value}:${print(field.type)}`).join(' ')}',`
  })
  return `${HEAD}
/** Fields of a type as \`name:type\`. */
export const TYPE_FIELDS: Readonly<Record<string, string>> = {
${lines.toSorted().join('\n')}
}
`
}

const stale = []
for (const each of PACKAGES) {
  const names = (await readdir(at(each.documents))).map((name) => name.replace(/\.graphql$/, '')).toSorted()
  const files = new Map()
  for (const name of names) files.set(`${name}.ts`, await generate(each, name))
  if (each.target.includes('client')) {
    files.set('schema.ts', schemaFacts())
    files.set('type-fields.ts', typeFields())
  }
  await mkdir(at(each.target), { recursive: true })
  for (const [file, made] of files) {
    const path = at(`${each.target}/${file}`)
    if ((await readFile(path, 'utf8').catch(() => null)) === made) continue
    stale.push(relative(at('..'), path))
    if (!isCheck) await writeFile(path, made)
  }
  // What is left of a file of operations that is no more.
  for (const file of await readdir(at(each.target))) {
    const path = at(`${each.target}/${file}`)
    if (files.has(file) || !(await readFile(path, 'utf8')).startsWith(HEAD)) continue
    stale.push(relative(at('..'), path))
    if (!isCheck) await rm(path)
  }
}
if (isCheck && stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}: run npm run web:generate\n`)
  process.exit(1)
}
