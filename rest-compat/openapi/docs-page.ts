import { CONVENTIONS } from './conventions.js'
import { each, escape, text } from './docs-html.js'
import { DOCS_SCRIPT } from './docs-script.js'
import { DOCS_STYLE } from './docs-style.js'
import { callSamples } from './docs-try.js'
import type { OpenApiDocument, OpenApiWebhook } from './openapi-types.js'
import type { OpenApiOperation } from './operation.js'
import type { OpenApiParameter } from './openapi-parameters.js'
import type { JsonSchema } from './schema-components.js'

interface Endpoint {
  path: string
  method: string
  operation: OpenApiOperation
}

/** Renders the document as a page: one HTML file, which loads nothing and works without a connection to anywhere else. */
export function docsPage(document: OpenApiDocument): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Endpoint => ({ path, method, operation })),
  )
  const byTag = [...Map.groupBy(endpoints, ({ operation }) => operation.tags[0]!)]
  const title = escape(document.info.title)
  const serverUrl = document.servers[0]!.url.replace(/\/$/, '')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${DOCS_STYLE}</style>
</head>
<body>
<nav>
<h1>${title}</h1><p><a href="openapi.json">openapi.json</a></p>
<label>Search<input id="search" type="search" placeholder="conversation message"></label>
<label>Token<input id="token" type="password" autocomplete="off" placeholder="of createToken, or a bot's"></label>
<details id="contents" open><summary>Contents</summary>
<a href="#conventions"><span>Conventions</span></a>
${byTag.map(([tag, group]) => `<div data-group><h2>${escape(tag)}</h2>${each(group, navEntry)}</div>`).join('\n')}
<a href="#webhooks"><span>Webhooks</span></a><a href="#schemas"><span>Schemas</span></a>
</details>
</nav>
<main>
<section id="conventions"><h2>Conventions</h2>${each(CONVENTIONS, convention)}</section>
${byTag
  .map(([tag, group]) =>
    section(
      tag,
      each(group, (one) => endpoint(one, serverUrl)),
    ),
  )
  .join('\n')}
<section id="webhooks"><h2>Webhooks</h2>${each(Object.entries(document.webhooks), webhook)}</section>
<section id="schemas"><h2>Schemas</h2>${each(Object.entries(document.components.schemas ?? {}), schemaEntry)}</section>
</main>
<script>${DOCS_SCRIPT}</script>
</body>
</html>`
}

function convention({ title, lines }: (typeof CONVENTIONS)[number]): string {
  return `<h3>${title}</h3><ul>${each(lines, (line) => `<li>${text(line)}</li>`)}</ul>`
}

function navEntry({ path, method, operation }: Endpoint): string {
  return `<a href="#${operation.operationId}" data-search="${searchText({ path, method, operation })}">${badge(method)}<span>${escape(path.replace('/v2', ''))}</span></a>`
}

function section(tag: string, content: string): string {
  return `<section data-group><h2>${escape(tag)}</h2>${content}</section>`
}

/** Text that the search compares with, in lower case. */
function searchText({ path, method, operation: { operationId, summary, tags } }: Endpoint): string {
  return escape([operationId, method, path, summary, ...tags].join(' ').toLowerCase())
}

function endpoint({ path, method, operation }: Endpoint, serverUrl: string): string {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const parts = [
    `<p>${text(description)}</p>`,
    parameters.length > 0 ? `<h4>Parameters</h4><table>${each(parameters, parameter)}</table>` : '',
    body ? `<h4>Body</h4>${schemaShape(body)}` : '',
    `<h4>Response</h4><table>${each(Object.entries(responses), response)}</table>`,
    callSamples({ path, method, operation, serverUrl }),
  ]
  const head = `${badge(method)}<code>${escape(path)}</code>`
  const data = ` data-search="${searchText({ path, method, operation })}"`
  return folded(operationId, head, summary, parts.join('\n'), data)
}

function parameter({ name, in: where, required, description, schema }: OpenApiParameter): string {
  return row(name, required === true, `${where}, ${typeText(schema)}`, description)
}

/** Errors are the same everywhere, so only the conventions list them. */
function response([status, value]: [string, unknown]): string {
  const { $ref, description, content } = value as {
    $ref?: string
    description?: string
    content?: Record<string, { schema: JsonSchema }>
  }
  if ($ref) return ''
  const schema = content?.['application/json']?.schema
  return row(status, false, schema ? typeText(schema) : '', description)
}

function webhook([name, { post }]: [string, { post: OpenApiWebhook }]): string {
  const { operationId, summary, description = '', requestBody } = post
  const { schema } = requestBody.content['application/json']!
  return folded(
    operationId,
    `<code>${escape(name)}</code>`,
    summary,
    `<p>${text(description)}</p>${schemaShape(schema)}`,
  )
}

function schemaEntry([name, value]: [string, unknown]): string {
  const schema = value as JsonSchema
  return folded(`schema-${name}`, `<code>${escape(name)}</code>`, String(schema.description ?? ''), schemaShape(schema))
}

/** The id is inside, so that a browser that navigates to it opens the surrounding details. */
function folded(id: string, head: string, summary: string, content: string, data = ''): string {
  return `<details${data}><summary>${head}<span class="text">${text(summary)}</span></summary>
<div id="${id}">${content}</div></details>`
}

/** Renders an object's properties as a table; anything else as a line. */
function schemaShape(schema: JsonSchema): string {
  const { allOf, properties, required } = schema
  if (Array.isArray(allOf)) return each(allOf as JsonSchema[], schemaShape)
  if (!properties || schema.items) return `<p>${typeText(schema)}</p>`
  const must = (required ?? []) as string[]
  const rows = each(Object.entries(properties as Record<string, JsonSchema>), ([name, property]) =>
    row(name, must.includes(name), typeText(property), property.description as string | undefined),
  )
  return `<table>${rows}</table>`
}

function row(name: string, required: boolean, type: string, description = ''): string {
  const must = required ? '<span class="must">required</span>' : ''
  const first = `<td><code>${escape(name)}</code>${must}</td>`
  return `<tr>${first}<td class="type">${type}</td><td>${text(description)}</td></tr>`
}

/** Renders a type as HTML: names of schemas are links. */
function typeText(schema: JsonSchema): string {
  const { $ref, oneOf, type, items, enum: values, format, properties } = schema
  if (typeof $ref === 'string') {
    const name = escape($ref.split('/').at(-1)!)
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (Array.isArray(oneOf)) return (oneOf as JsonSchema[]).map(typeText).join(' or ')
  if (Array.isArray(values)) return values.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  if (items && properties) return `${typeText(items as JsonSchema)}, or a list of them`
  if (items) return `list of ${typeText(items as JsonSchema)}`
  if (properties)
    return `{ ${Object.keys(properties as object)
      .map(escape)
      .join(', ')} }`
  return escape([type ?? 'any'].flat().join(' or ') + (format === 'date-time' ? ', datetime' : ''))
}

function badge(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`
}
