import { escape } from './docs-html.js'
import type { OpenApiOperation } from './operation.js'

interface Call {
  path: string
  method: string
  operation: OpenApiOperation
  /** Base of the addresses in the samples. */
  serverUrl: string
}

/** Renders samples of a call for curl and fetch, its answer, and a form that sends it. */
export function callSamples(call: Call): string {
  const { operation } = call
  const [status, success] = Object.entries(operation.responses)[0] as [string, { content?: Record<string, Example> }]
  const example = success.content?.['application/json']?.example
  return [
    `<h4>curl</h4><pre>${escape(curlOf(call))}</pre>`,
    `<h4>fetch</h4><pre>${escape(fetchOf(call))}</pre>`,
    example === undefined ? '' : `<h4>Answer ${status}</h4><pre>${escape(json(example))}</pre>`,
    tryForm(call),
  ].join('\n')
}

interface Example {
  example?: unknown
}

function bodyOf({ operation }: Call): unknown {
  return operation.requestBody?.content['application/json']?.example
}

const isUpload = ({ operation }: Call): boolean => 'multipart/form-data' in (operation.requestBody?.content ?? {})
const isPublic = ({ operation }: Call): boolean => operation.security?.length === 0

function curlOf(call: Call): string {
  const { method, path, serverUrl } = call
  const body = bodyOf(call)
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${serverUrl}${path}"`,
    ...(isPublic(call) ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(isUpload(call) ? ['-F file=@boat.png'] : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function fetchOf(call: Call): string {
  const { method, path, serverUrl } = call
  const body = bodyOf(call)
  const headers = [
    ...(isPublic(call) ? [] : ['authorization: `Bearer ${token}`']),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const members = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(json(body))})`]),
    ...(isUpload(call) ? ['body: form'] : []),
  ]
  const init = members.length === 0 ? '' : `, {\n${members.map((member) => `  ${member},\n`).join('')}}`
  const form = isUpload(call) ? "const form = new FormData()\nform.append('file', file)\n" : ''
  return `${form}const response = await fetch('${serverUrl}${path}'${init})`
}

function tryForm(call: Call): string {
  const { method, path, operation } = call
  const { operationId, parameters } = operation
  const inPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => field(`path.${name}`, name))
  const hasQuery = parameters.some((parameter) => parameter.in === 'query')
  const body = bodyOf(call)
  const fields = [
    ...inPath,
    ...(hasQuery ? [field('query', 'query', 'limit=5&select=…')] : []),
    ...(isUpload(call) ? ['<label>file<input type="file" name="file" required></label>'] : []),
    ...(operation.requestBody && !isUpload(call)
      ? [`<label>body<textarea name="body" rows="6" spellcheck="false">${escape(json(body ?? {}))}</textarea></label>`]
      : []),
  ]
  const data = `data-operation="${operationId}" data-method="${method.toUpperCase()}" data-path="${escape(path)}"`
  return `<form ${data}><h4>Try it</h4>${fields.join('\n')}<button>Send</button><output></output></form>`
}

function field(name: string, label: string, placeholder = ''): string {
  const required = name === 'query' ? '' : ' required'
  return `<label>${label}<input name="${name}" placeholder="${escape(placeholder)}"${required}></label>`
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const indented = (text: string): string => text.replaceAll('\n', '\n  ')
