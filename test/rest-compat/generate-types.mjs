// Writes `openapi-types.ts`, the types of `openapi.json` for the test client (openapi-fetch), if the document has changed. It
// covers what the document uses of JSON Schema, and fails at anything else. The gate compiles the same tests with the types of
// openapi-typescript (`.ci/openapi/run`), as other users of the document do.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'

const TARGET = new URL('openapi-types.ts', import.meta.url)
const [text, own] = await Promise.all([
  readFile(new URL('../../openapi.json', import.meta.url)),
  readFile(new URL(import.meta.url)),
])
const head = `// Made by generate-types.mjs of openapi.json: do not edit. ${createHash('sha256').update(text).update(own).digest('hex')}\n`
const made = await readFile(TARGET, 'utf8').catch(() => '')

function typesOf({ components, paths }) {
  const schemas = members(components.schemas, (schema) => [true, typeOf(schema)])
  const responses = members(components.responses, (response) => [true, responseType(response)])
  return `export interface components { schemas: ${schemas}; responses: ${responses} }
export interface paths ${members(paths, (path) => [true, members(path, (operation) => [true, operationType(operation)])])}
`
}

function operationType({ parameters, requestBody, responses }) {
  const sources = ['query', 'path', 'header'].map((source) => {
    const own = parameters.filter((each) => each.in === source)
    const isRequired = own.some(({ required }) => required)
    const types = Object.fromEntries(own.map((each) => [each.name, each]))
    return `${source}${isRequired ? '' : '?'}: ${members(types, ({ required, schema }) => [required, typeOf(schema)])}`
  })
  const body = requestBody ? `requestBody: { content: ${contentType(requestBody.content)} }` : 'requestBody?: never'
  const answers = members(responses, (response) => [true, responseType(response)])
  return `{ parameters: { ${sources.join('; ')} }; ${body}; responses: ${answers} }`
}

function responseType({ $ref, content, ...rest }) {
  if ($ref) return referenced($ref)
  refuseOthers(rest, ['description', 'headers'])
  return `{ headers: { [name: string]: unknown }; content${content ? '' : '?'}: ${content ? contentType(content) : 'never'} }`
}

const contentType = (content) => members(content, ({ schema }) => [true, typeOf(schema)])

function typeOf({ $ref, enum: values, const: value, oneOf, allOf, type, items, properties, required = [], ...rest }) {
  const { additionalProperties, ...others } = rest
  refuseOthers(others, NOT_IN_TYPES)
  if ($ref) return referenced($ref)
  if (value !== undefined) return JSON.stringify(value)
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ')
  if (oneOf) return oneOf.map((each) => `(${typeOf(each)})`).join(' | ')
  if (allOf) return allOf.map((each) => `(${typeOf(each)})`).join(' & ')
  // Of an object or a list, the object.
  return [type ?? (properties ? 'object' : 'unknown')].flat().map(single).join(' | ')

  function single(one) {
    if (one === 'array') return `(${typeOf(items ?? {})})[]`
    if (one !== 'object') return SINGLE[one] ?? fail(`the type ${one}`)
    const known = properties && members(properties, (each, name) => [required.includes(name), typeOf(each)])
    const open = additionalProperties === true || (!known && additionalProperties === undefined)
    const other = open ? 'unknown' : additionalProperties ? typeOf(additionalProperties) : 'never'
    if (!known) return `{ [key: string]: ${other} }`
    return additionalProperties ? `${known} & { [key: string]: ${open ? 'unknown' : 'any'} }` : known
  }
}

const SINGLE = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  unknown: 'unknown',
}
/** Keywords that a type cannot say. */
const NOT_IN_TYPES =
  'description format readOnly writeOnly example examples default title deprecated discriminator minimum maximum minLength maxLength minItems maxItems pattern uniqueItems maxProperties contentMediaType contentEncoding not'.split(
    ' ',
  )

/** A status is a number: openapi-fetch tells answers from refusals by it. */
const keyOf = (name) => (/^\d+$/.test(name) ? name : JSON.stringify(name))

const members = (of, typed) =>
  `{\n${Object.entries(of)
    .map(([name, each]) => [name, ...typed(each, name)])
    .map(([name, isRequired, type]) => `${keyOf(name)}${isRequired ? '' : '?'}: ${type}`)
    .join('\n')}\n}`

const referenced = (ref) =>
  `components${ref
    .replaceAll('/properties/', '/')
    .split('/')
    .slice(2)
    .map((part) => `[${JSON.stringify(part)}]`)
    .join('')}`

function refuseOthers(of, known) {
  for (const key of Object.keys(of)) if (!known.includes(key)) fail(key)
}

function fail(what) {
  throw new Error(`generate-types.mjs does not know ${what}, which openapi.json uses`)
}

if (!made.startsWith(head)) await writeFile(TARGET, head + typesOf(JSON.parse(text)))
