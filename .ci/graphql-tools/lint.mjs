import plugin from '@graphql-eslint/eslint-plugin'
import { ESLint } from 'eslint'
import { parse, visit } from 'graphql'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { FOLDERS, pathsOf, ROOT, SCHEMA } from './documents.mjs'

const eslint = (files, rules, graphQLConfig) =>
  new ESLint({
    cwd: ROOT,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: [files],
        plugins: { '@graphql-eslint': plugin },
        languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig } },
        rules,
      },
    ],
  })

/** The presets `schema-recommended` and `schema-relay`. */
export async function lintSchema() {
  const rules = {
    ...plugin.configs['flat/schema-recommended'].rules,
    ...plugin.configs['flat/schema-relay'].rules,
    // Relay's own types have no identity, nor have events: a cache takes what they are about and forgets them; `cursor` is
    // their place.
    '@graphql-eslint/strict-id-in-types': [
      'error',
      {
        acceptedIdNames: ['id'],
        acceptedIdTypes: ['ID'],
        exceptions: { suffixes: ['Connection', 'Edge'], types: ['PageInfo', ...eventTypes()] },
      },
    ],
    // Lists that are whole (members, buttons) are no connections; of edges' other promises none is left out.
    '@graphql-eslint/relay-edge-types': [
      'error',
      { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
    ],
  }
  const [{ messages }] = await eslint('schema.graphql', rules, { schema: SCHEMA, documents: [] }).lintFiles([
    'schema.graphql',
  ])
  const coordinates = coordinatesByLine()
  return messages.map(({ ruleId, line, message }) => ({
    rule: (ruleId ?? 'parser').replace('@graphql-eslint/', ''),
    where: coordinates.get(line) ?? `line ${line}`,
    message,
  }))
}

/** The preset `operations-recommended` on each folder: its names are unique. */
export async function lintDocuments() {
  // The plugin keeps its first configuration for as long as a thread lives.
  const lint = (folder) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: folder })
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  return (await Promise.all(FOLDERS.map(lint))).flat()
}

async function lintFolder(folder) {
  const paths = pathsOf(folder)
  const config = { schema: SCHEMA, documents: paths.map((path) => join(ROOT, path)) }
  const rules = { ...plugin.configs['flat/operations-recommended'].rules }
  // The pages keep no cache by id: an `id` that nobody reads is bytes on an agent's line.
  if (folder === 'web/operations') delete rules['@graphql-eslint/require-selections']
  const results = await eslint(`${folder}/*.graphql`, rules, config).lintFiles(paths)
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line, message }) => ({
      rule: (ruleId ?? 'parser').replace('@graphql-eslint/', ''),
      where: `${filePath.slice(ROOT.length)}:${line}`,
      message,
    })),
  )
}

/** The types of live events. */
function eventTypes() {
  return [...readFileSync(SCHEMA, 'utf8').matchAll(/^type (\w+) implements StreamEvent/gm)].map(([, name]) => name)
}

/** `Type` or `Type.field` by the line of its name. */
function coordinatesByLine() {
  const names = new Map()
  let owner = ''
  visit(parse(readFileSync(SCHEMA, 'utf8')), {
    enter(node) {
      if (!node.name?.loc || node.kind === 'NamedType') return
      if (/Type(Definition|Extension)$/.test(node.kind)) owner = node.name.value
      const isMember =
        node.kind === 'FieldDefinition' || node.kind === 'InputValueDefinition' || node.kind === 'EnumValueDefinition'
      const line = node.name.loc.startToken.line
      if (!names.has(line)) names.set(line, isMember ? `${owner}.${node.name.value}` : node.name.value)
    },
  })
  return names
}

if (!isMainThread && workerData) parentPort.postMessage(await lintFolder(workerData))
