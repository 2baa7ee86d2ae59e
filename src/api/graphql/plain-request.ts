import type { Variables } from './cost.js'
import type { GraphqlHttpRequest, GraphqlHttpResponse } from './http-exchange.js'
import type { OperationRequest } from './operations.js'

const JSON_TYPE = /^application\/json(?: *; *charset=utf-8)?$/i
const KEYS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions'])

/**
 * Reads the operation of a plain request: JSON posted as such, with members of the right types and no extensions. Null
 * for every other request, valid or not.
 */
export function readPlainRequest({ method, headers, body }: GraphqlHttpRequest): OperationRequest | null {
  if (method !== 'POST' || !JSON_TYPE.test(headers['content-type'] ?? '') || !isRecord(body)) return null
  for (const key in body) if (!KEYS.has(key)) return null
  const { query, operationName = null, variables = null, extensions = null } = body
  if (typeof query !== 'string' || query === '' || extensions !== null) return null
  if (operationName !== null && typeof operationName !== 'string') return null
  if (variables !== null && !isRecord(variables)) return null
  return { query, operationName, variables: variables as Variables | null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const REMEMBERED_MAX = 100
const ACCEPT_CHARS_MAX = 300

/** Caches the media type for each `Accept` header, learned from the first answer to it. */
export class RememberedTypes {
  readonly #types = new Map<string, string>()

  of(accept: string | undefined): string | undefined {
    return this.#types.get(accept ?? '')
  }

  /** @param response to a plain request: all except 406 show the accepted type */
  learn(accept: string | undefined, { status, headers }: GraphqlHttpResponse): void {
    const type = new Map(headers).get('content-type')
    if (status === 406 || type === undefined || (accept?.length ?? 0) > ACCEPT_CHARS_MAX) return
    // Invented headers must not keep others from being cached.
    if (this.#types.size >= REMEMBERED_MAX) this.#types.clear()
    this.#types.set(accept ?? '', type)
  }
}
