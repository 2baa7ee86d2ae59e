import type { OpenApiDocument } from './openapi-types.js'

/**
 * Returns the document for clients that use `select`: answers are described as it leaves them, of which only the `id` is certain.
 * One document for both would have to allow every answer to lack everything.
 */
export function selectedDocument(document: OpenApiDocument): OpenApiDocument {
  const { 'x-selected': selections = {}, ...whole } = document
  const { components, info, ...rest } = replaced(whole) as Omit<OpenApiDocument, 'x-selected'>
  const schemas = Object.fromEntries(Object.entries(selections).map(([name, schema]) => [nameOf(name), schema]))
  return {
    ...rest,
    info: { ...info, title: `${info.title}, with select` },
    components: { ...components, schemas: { ...components.schemas, ...schemas } },
  }
}

const nameOf = (record: string): string => `Selected${record}`

/** Puts `x-selected` in the place of each `schema` that has one. */
function replaced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(replaced)
  if (typeof node === 'string')
    return node.replace(/^#\/x-selected\/(.+)$/, (_, name: string) => `#/components/schemas/${nameOf(name)}`)
  if (typeof node !== 'object' || node === null) return node
  const { 'x-selected': selected, ...members } = node as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(selected ? { ...members, schema: selected } : members).map(([key, member]) => [
      key,
      replaced(member),
    ]),
  )
}
