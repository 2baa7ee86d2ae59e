// Makes TypeScript of `schema.graphql` and of the documents of the pages (`operations/`) and of the client package
// (`client/documents/`): each document as a string with the types of its data and variables, so that an operation that the
// schema no longer has fails the compiler. A file of operations is complete in itself, so that a page loads the documents
// that it uses and no others.
// None of them is in git: `node web/generate.mjs` writes them, with `--built` only if what they are made of has changed, and
// build, type check, lint and tests begin with that. With `--ahead` a file whose documents the schema does not have yet stays
// as it was: for printing a schema that the documents are ahead of.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const [mode] = process.argv.slice(2)
/** Folders of documents, and where what is made of them goes. */
const PACKAGES = [
  { documents: 'operations', target: 'generated', typedDocument: '@switchboard/client' },
  { documents: '../client/documents', target: '../client/src/generated', typedDocument: '../typed-document.js' },
]
/** In each target: the digest of the files that it was made of. */
const INPUTS = '.inputs'
const inputs = await digestInputs()
if (mode && (await Promise.all(PACKAGES.map(isMade))).every(Boolean)) process.exit()

const { codegen } = await import('@graphql-codegen/core')
const operations = await import('@graphql-codegen/typescript-operations')
const { Kind, parse, print, stripIgnoredCharacters, visit } = await import('graphql')
const schema = parse(await readFile(at('../schema.graphql'), 'utf8'))
/** A request of ours throws when its mutation fails, so that its result is there: only other clients see null. */
const answered = visit(schema, {
  ObjectTypeDefinition({ name, fields, ...type }) {
    if (name.value !== 'Mutation') return false
    const sure = fields.map((field) =>
      field.type.kind === Kind.NON_NULL_TYPE
        ? field
        : { ...field, type: { kind: Kind.NON_NULL_TYPE, type: field.type } },
    )
    // Drafts may be empty.
    return { ...type, name, fields: sure.map((field, at) => (field.name.value === 'saveDraft' ? fields[at] : field)) }
  },
})
const HEAD = '// Made by web/generate.mjs of schema.graphql and the documents: do not edit.\n'
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
      schema: answered,
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

/** The facts of the schema that caches and error handlers need. */
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

/** Pages of lists among those. */
export const CONNECTION_TYPES: readonly string[] = ${json(connections)}

/** Parts of records among those. */
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

for (const each of PACKAGES) {
  const files = new Map()
  let isWhole = true
  for (const name of await namesOf(each.documents)) {
    const made = await generate(each, name).catch(async (error) => {
      const before = mode === '--ahead' && (await readFile(at(`${each.target}/${name}.ts`), 'utf8').catch(() => null))
      if (!before) throw error
      isWhole = false
      return before
    })
    files.set(`${name}.ts`, made)
  }
  if (each.target.includes('client')) {
    files.set('schema.ts', schemaFacts())
    files.set('type-fields.ts', typeFields())
  }
  await mkdir(at(each.target), { recursive: true })
  for (const [file, made] of files) {
    const path = at(`${each.target}/${file}`)
    // The compiler and the bundler look at times.
    if ((await readFile(path, 'utf8').catch(() => null)) !== made) await writeFile(path, made)
  }
  // Left of a file of operations that is no more.
  for (const file of await readdir(at(each.target))) {
    if (!files.has(file) && file !== INPUTS) await rm(at(`${each.target}/${file}`))
  }
  if (isWhole) await writeFile(at(`${each.target}/${INPUTS}`), inputs)
}

async function isMade({ documents, target }) {
  const made = await readFile(at(`${target}/${INPUTS}`), 'utf8').catch(() => '')
  // Git removes the files, and not this one, where it goes to a commit after one that had them.
  const isThere = (await namesOf(documents)).every((name) => existsSync(at(`${target}/${name}.ts`)))
  return isThere && made === inputs
}

/** Names of a folder's documents, without `.graphql`. */
async function namesOf(folder) {
  return (await readdir(at(folder))).map((name) => name.replace(/\.graphql$/, '')).toSorted()
}

async function digestInputs() {
  const digest = createHash('sha256')
  const documents = []
  for (const { documents: folder } of PACKAGES)
    documents.push(...(await namesOf(folder)).map((name) => `${folder}/${name}.graphql`))
  for (const path of ['../schema.graphql', 'generate.mjs', ...documents])
    digest
      .update(`${path}\0`)
      .update(await readFile(at(path)))
      .update('\0')
  return digest.digest('hex')
}
