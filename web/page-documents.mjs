import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A document as `generate.mjs` writes it. */
const DOCUMENT = /^export const (\w+)Document = (".*") as /gm

/**
 * Puts ids in the place of the documents: pages load and send some ten bytes for each, and the server has the texts.
 * The names of the operations stand in the ids, for whoever reads requests.
 * @param texts to which the text of each id is added
 */
export const pageDocuments = (texts) => ({
  name: 'page-documents',
  setup: (build) =>
    build.onLoad({ filter: /[/\\]generated[/\\][\w-]+\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll(DOCUMENT, (_line, name, literal) => {
        const text = JSON.parse(literal)
        const id = `${name}.${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`
        texts[id] = text
        return `export const ${name}Document = ${JSON.stringify(`#${id}`)} as `
      }),
    })),
})
