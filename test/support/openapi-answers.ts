import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A test's request, and the server's answer. */
export interface Exchange {
  method: string
  /** With its query. */
  path: string
  requestBody: unknown
  status: number
  contentType: string | null
  body: unknown
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Served beside the operations, and not described by the document. */
const OTHERS = ['/v2/openapi.json', '/v2/openapi-selected.json', '/v2/docs']
const WITHOUT_OPERATION = [400, 401, 404, 405, 429, 503]

/**
 * Holds the answers of `/v2` against the committed OpenAPI document. Schemas are closed for this: a member that the
 * document does not describe fails, though clients are to expect that members are added.
 */
class DocumentedAnswers {
  readonly #document = closed(readDocument()) as JsonObject
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(this.#document, 'api')
  readonly #paths = Object.keys(this.#document.paths as JsonObject)
    .map((template) => ({ template, pattern: patternOf(template) }))
    // `/users/me` before `/users/{id}`.
    .toSorted((one, other) => Number(one.template.includes('{')) - Number(other.template.includes('{')))
  readonly #validators = new Map<string, ValidateFunction>()

  /** @throws Error for an answer that the document does not describe, or a body that it does not allow but that is taken */
  check(exchange: Exchange): void {
    const problem = this.#problemOf(exchange)
    if (problem === null) return
    const { method, path, status, body } = exchange
    const shown = JSON.stringify(body)?.slice(0, 1_000)
    throw new Error(`the OpenAPI document does not describe this: ${method} ${path} ${status}: ${problem}\n${shown}`)
  }

  /** @throws Error for a delivery to a receiver of webhooks that the document does not describe */
  checkDelivery(envelope: { event: string; activity?: unknown }): void {
    // By `params.query`, a receiver asks for another form of the data.
    if (envelope.activity === undefined) return
    const { event } = envelope
    const name = Object.keys(this.#document.webhooks as JsonObject).find((known) => `${event}.`.startsWith(`${known}.`))
    const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`
    const problem = name === undefined ? 'there is no such event' : this.#errorsOf(pointer, envelope)
    if (problem === null) return
    throw new Error(`the OpenAPI document does not describe this: ${event}: ${problem}\n${JSON.stringify(envelope)}`)
  }

  #problemOf({ method, path, requestBody, status, contentType, body }: Exchange): string | null {
    // As it is sent: `/a/%2e%2e/b` is `/b` before it leaves the client.
    const { pathname: plain, searchParams: query } = new URL(path, 'http://server')
    if (['HEAD', 'OPTIONS'].includes(method) || OTHERS.includes(plain)) return null
    const pointer = this.#paths
      .filter(({ pattern }) => pattern.test(plain))
      .map(({ template }) => `/paths/${escapePointer(template)}/${method.toLowerCase()}`)
      .find((found) => this.#at(found))
    if (!pointer) {
      if (!WITHOUT_OPERATION.includes(status)) return 'there is no such operation'
      return this.#errorsOf('/components/schemas/Error', body)
    }
    const response = this.#resolve(`${pointer}/responses/${status}`)
    if (!response) return 'there is no such status'
    if (status < 300 && typeof requestBody === 'object') {
      const problem = this.#errorsOf(`${pointer}/requestBody/content/application~1json/schema`, requestBody)
      if (problem !== null) return `the body was taken, but ${problem}`
    }
    const isSelected = status < 300 && query.has('select')
    const { content } = this.#at(response) as JsonObject
    if (content === undefined) return body === '' ? null : 'there is a body'
    const type = contentType?.split(';')[0] ?? ''
    if (!(type in (content as JsonObject))) return `the media type is ${type}`
    if (type !== 'application/json') return null
    return this.#errorsOf(`${response}/content/application~1json/${isSelected ? 'x-selected' : 'schema'}`, body)
  }

  #errorsOf(pointer: string, value: unknown): string | null {
    const validate = this.#validator(pointer)
    return validate(value) ? null : this.#ajv.errorsText(validate.errors?.slice(0, 5), { dataVar: 'body' })
  }

  #validator(pointer: string): ValidateFunction {
    let validate = this.#validators.get(pointer)
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `api#${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}` })
      this.#validators.set(pointer, validate)
    }
    return validate
  }

  /** Follows a reference. @returns undefined if there is nothing */
  #resolve(pointer: string): string | undefined {
    const found = this.#at(pointer) as { $ref?: string } | undefined
    if (found === undefined) return undefined
    return found.$ref === undefined ? pointer : found.$ref.slice(1)
  }

  #at(pointer: string): Json | undefined {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    return keys.reduce<Json | undefined>((node, key) => (node as JsonObject | undefined)?.[key], this.#document)
  }
}

let answers: DocumentedAnswers | undefined

/** @throws Error for an answer that the document does not describe */
export function checkAnswer(exchange: Exchange): void {
  answers ??= new DocumentedAnswers()
  answers.check(exchange)
}

/** @throws Error for a delivery that the document does not describe */
export function checkDelivery(envelope: { event: string; activity?: unknown }): void {
  answers ??= new DocumentedAnswers()
  answers.checkDelivery(envelope)
}

function readDocument(): Json {
  return JSON.parse(readFileSync('openapi.json', 'utf8')) as Json
}

/** Closes the objects of answers; the parts of an `allOf` describe one object together, and bodies take more. */
function closed(node: Json, isOpen = false): Json {
  if (Array.isArray(node)) return node.map((member) => closed(member, isOpen))
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, member]) => {
      return [key, closed(member, isOpen || key === 'allOf' || key === 'requestBody' || /Input$/.test(key))] as const
    }),
  )
  const isObject = copy.type === 'object' || (copy.type === undefined && 'items' in copy)
  const isShape = typeof copy.properties === 'object' && isObject && !('additionalProperties' in copy)
  return isShape && !isOpen ? { ...copy, additionalProperties: false } : copy
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
