import { CONVENTIONS } from './conventions.js'
import { DOCS_STYLE } from './docs-style.js'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi-document.js'
import type { JsonSchema } from './schema-components.js'

/** A page to read the document: one HTML file without script, which loads nothing. */
export function docsPage(document: OpenApiDocument): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })))
  const byTag = Map.groupBy(endpoints, ({ operation }) => operation.tags[0]!)
  const title = escape(document.info.title)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${DOCS_STYLE}</style></head>
<body><nav><h1>${title}</h1><p><a href="openapi.json">openapi.json</a></p>
<a href="#conventions"><span>Conventions</span></a>
${[...byTag].map(([tag, group]) => `<h2>${escape(tag)}</h2>${group.map(navEntry).join('')}`).join('')}
<h2>Records</h2><a href="#schemas"><span>Schemas</span></a></nav>
<main><section id="conventions"><h2>Conventions</h2>${conventions()}</section>
${[...byTag].map(([tag, group]) => `<section><h2>${escape(tag)}</h2>${group.map(endpoint).join('')}</section>`).join('')}
<section id="schemas"><h2>Schemas</h2>${Object.entries(document.components.schemas ?? {}).map(schemaEntry).join('')}</section>
</main></body></html>`
}

interface Endpoint {
  path: string
  method: string
  operation: OpenApiOperation
}

function conventions(): string {
  return CONVENTIONS.map(({ title, lines }) => `<h3>${title}</h3><ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul>`).join('')
}

function navEntry({ path, method, operation }: Endpoint): string {
  return `<a href="#${operation.operationId}">${badge(method)}<span>${escape(path.replace('/v2', ''))}</span></a>`
}

function endpoint({ path, method, operation }: Endpoint): string {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  return `<details id="${operationId}"><summary>${badge(method)}<code>${escape(path)}</code><span class="text">${text(summary)}</span></summary><div>
${operation.security ? '<p>Without credentials.</p>' : ''}
${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.map(parameter).join('')}</table>` : ''}
${body ? `<h4>Body</h4>${schemaShape(body)}` : ''}
<h4>Responses</h4><table>${Object.entries(responses).map(response).join('')}</table></div></details>`
}

function parameter({ name, in: where, required, description, schema }: OpenApiParameter): string {
  return row(name, required === true, `${where}, ${typeText(schema)}`, description)
}

function response([status, value]: [string, unknown]): string {
  const { $ref, description, content } = value as {
    $ref?: string
    description?: string
    content?: Record<string, { schema: JsonSchema }>
  }
  if ($ref) return ''
  const schema = content?.['application/json']?.schema
  return `<tr><td><code>${status}</code></td><td class="type">${schema ? typeText(schema) : ''}</td><td>${text(description ?? '')}</td></tr>`
}

function schemaEntry([name, schema]: [string, unknown]): string {
  const { description } = schema as JsonSchema
  return `<details id="schema-${name}"><summary><code>${escape(name)}</code><span class="text">${text(String(description ?? ''))}</span></summary><div>${schemaShape(schema as JsonSchema)}</div></details>`
}

/** An object's properties as a table; anything else as a line. */
function schemaShape(schema: JsonSchema): string {
  const { allOf, properties, required } = schema
  if (Array.isArray(allOf)) return (allOf as JsonSchema[]).map(schemaShape).join('')
  if (!properties) return `<p>${typeText(schema)}</p>`
  const must = (required ?? []) as string[]
  return `<table>${Object.entries(properties as Record<string, JsonSchema>)
    .map(([name, property]) => row(name, must.includes(name), typeText(property), property.description as string | undefined))
    .join('')}</table>`
}

function row(name: string, required: boolean, type: string, description: string | undefined): string {
  const must = required ? '<span class="must">required</span>' : ''
  return `<tr><td><code>${escape(name)}</code>${must}</td><td class="type">${type}</td><td>${text(description ?? '')}</td></tr>`
}

/** As HTML: names of schemas are links. */
function typeText(schema: JsonSchema): string {
  const { $ref, oneOf, type, items, enum: values, format, properties } = schema
  if (typeof $ref === 'string') {
    const name = escape($ref.split('/').at(-1)!)
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (Array.isArray(oneOf)) return (oneOf as JsonSchema[]).map(typeText).join(' or ')
  if (Array.isArray(values)) return values.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (items) return `list of ${typeText(items as JsonSchema)}`
  if (properties) return `{ ${Object.keys(properties as object).map(escape).join(', ')} }`
  return escape([type ?? 'any'].flat().join(' or ') + (format === 'date-time' ? ', datetime' : ''))
}

function badge(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`
}

/** Text with \`code\`. */
function text(source: string): string {
  return escape(source).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(source: string): string {
  return source.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)
}
