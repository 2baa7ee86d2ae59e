// Makes `shared/graphql/*.ts` of `schema.graphql` and `operations/*.graphql`: each document as a string with the types of
// its data and variables, so that an operation that the schema no longer has fails the compiler. A file of operations is
// complete in itself, so that a page loads the documents that it uses and no others.
// `node web/generate.mjs` writes them; with `--check` it fails when a file is not what it would write.
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const isCheck = process.argv.includes('--check')
const schema = parse(await readFile(at('../schema.graphql'), 'utf8'))
const HEAD = '// Made by web/generate.mjs of schema.graphql and web/operations: do not edit.\n'

/** A document for each operation, with the fragments that it uses and nothing that a server does not need. */
const documents = {
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
    return { prepend: [`import type { TypedDocument } from './typed-document.js'`], content: content.join('\n') }
  },
}

const kindOf = ({ operation }) => operation[0].toUpperCase() + operation.slice(1)

async function generate(name) {
  const location = `operations/${name}.graphql`
  const document = parse(await readFile(at(location), 'utf8'))
  return (
    HEAD +
    (await codegen({
      filename: at(`shared/graphql/${name}.ts`),
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
      pluginMap: { operations, documents },
    }))
  )
}

const names = (await readdir(at('operations'))).map((name) => name.replace(/\.graphql$/, '')).toSorted()
const stale = []
for (const name of names) {
  const path = at(`shared/graphql/${name}.ts`)
  const made = await generate(name)
  if ((await readFile(path, 'utf8').catch(() => null)) === made) continue
  stale.push(name)
  if (!isCheck) await writeFile(path, made)
}
// What is left of a file of operations that is no more.
for (const file of await readdir(at('shared/graphql'))) {
  const path = at(`shared/graphql/${file}`)
  const name = file.replace(/\.ts$/, '')
  if (names.includes(name) || !(await readFile(path, 'utf8')).startsWith(HEAD)) continue
  stale.push(name)
  if (!isCheck) await rm(path)
}
if (isCheck && stale.length > 0) {
  process.stderr.write(`stale: web/shared/graphql/${stale.join(', ')}: run npm run web:generate\n`)
  process.exit(1)
}
