import { isPlainObject } from '../../platform/json.js'

/** Codes of JSON-RPC 2.0, and those that the protocol adds. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
export const REFUSED = -32_000
export const HEADER_MISMATCH = -32_020
export const UNSUPPORTED_VERSION = -32_022

export type RequestId = string | number
export type Params = Readonly<Record<string, unknown>>

/** A request, or without an id a notification, which has no answer. */
export interface Frame {
  id: RequestId | null
  method: string
  params: Params
}

/** A request that is not understood. What a tool is refused is no such error, but its answer. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** The HTTP status. */
    readonly status = 200,
    readonly data?: object,
  ) {
    super(message)
    this.name = 'RpcError'
  }
}

/** Ids are repeated in answers, and the log of a client may hold them. */
const ID_LENGTH_MAX = 200

/** @throws RpcError with the status 400 for what is no request, and for batches, which 2025-06-18 took out of the protocol */
export function readFrame(body: unknown): Frame {
  const refuse = (why: string): RpcError => new RpcError(INVALID_REQUEST, why, 400)
  if (Array.isArray(body)) throw refuse('a batch is not taken: send one message a request')
  if (!isPlainObject(body)) throw refuse('the body must be a JSON-RPC message')
  const { jsonrpc, id = null, method, params = {} } = body
  if (jsonrpc !== '2.0') throw refuse('jsonrpc must be "2.0"')
  if (typeof method !== 'string')
    throw refuse('method must be a string: the server asks nothing that could be answered')
  if (!isId(id) && (id !== null || Object.hasOwn(body, 'id'))) {
    throw refuse(`id must be a whole number, or a string of at most ${ID_LENGTH_MAX} characters`)
  }
  if (!isPlainObject(params)) throw new RpcError(INVALID_PARAMS, 'params must be an object', 400)
  return { id, method, params }
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' ? id.length <= ID_LENGTH_MAX : Number.isSafeInteger(id)
}

/** Returns the id to which an error belongs; null where none can be read. */
export function idOf(body: unknown): RequestId | null {
  return isPlainObject(body) && isId(body.id) ? body.id : null
}

export function errorFrame(
  id: RequestId | null,
  { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>,
): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }
}
