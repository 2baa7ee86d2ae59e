import { codegen } from '@graphql-codegen/core'
import { preset } from '@graphql-codegen/client-preset'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse } from 'graphql'
import { documentPaths, read, SCHEMA } from './documents.mjs'
import { readFileSync } from 'node:fs'

/** The client preset on each file of documents, as a project that copies it would run it. */
export async function compileDocuments(folder) {
  const schema = parse(readFileSync(SCHEMA, 'utf8'))
  for (const path of documentPaths) {
    const into = join(folder, path.replace(/[/.]/g, '-'))
    const outputs = await preset.buildGeneratesSection({
      baseOutputDir: `${into}/`,
      schema,
      documents: [{ location: path, document: parse(read(path)), rawSDL: read(path) }],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { DateTime: 'string', JSON: 'unknown', JSONObject: 'Record<string, unknown>' },
      },
      presetConfig: { fragmentMasking: false },
      plugins: [],
      pluginMap: {},
    })
    for (const output of outputs) {
      const text = await codegen(output)
      mkdirSync(dirname(output.filename), { recursive: true })
      writeFileSync(join(into, basename(output.filename)), text)
    }
  }
}
