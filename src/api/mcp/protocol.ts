import type { IncomingHttpHeaders } from 'node:http'
import { isPlainObject } from '../../platform/json.js'
import { HEADER_MISMATCH, INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION, type Frame } from './json-rpc.js'

/** Without a session or a handshake: each request says what it is. */
export const STATELESS_VERSION = '2026-07-28'
/** With a handshake, of which nothing is kept. The newest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18']
/** Taken for a request that names none. */
const UNNAMED_VERSION = '2025-03-26'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** Methods whose parameter a proxy reads in `Mcp-Name`. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['resources/read', 'uri'],
  ['prompts/get', 'name'],
])

/**
 * Tells whether a request is of the stateless protocol. Its headers must say what its body says: proxies decide by them.
 * @throws RpcError with the status 400
 */
export function isStateless(frame: Frame, headers: IncomingHttpHeaders): boolean {
  const named = headerOf(headers, 'mcp-protocol-version')
  const meta = frame.params._meta
  const claimed = isPlainObject(meta) ? meta[VERSION_KEY] : undefined
  if (claimed === undefined) {
    refuseUnknown(frame, named)
    if (named !== STATELESS_VERSION || frame.id === null) return false
    throw new RpcError(INVALID_PARAMS, `params._meta must have ${VERSION_KEY} and ${CAPABILITIES_KEY}`, 400)
  }
  if (typeof claimed !== 'string') throw new RpcError(INVALID_PARAMS, `${VERSION_KEY} must be a string`, 400)
  if (claimed !== STATELESS_VERSION) throw unsupported(claimed, [STATELESS_VERSION])
  if (frame.id === null) return true
  if (!isPlainObject((meta as Record<string, unknown>)[CAPABILITIES_KEY])) {
    throw new RpcError(INVALID_PARAMS, `${CAPABILITIES_KEY} must be an object`, 400)
  }
  requireHeader(headers, 'mcp-protocol-version', claimed)
  requireHeader(headers, 'mcp-method', frame.method)
  const key = NAMED_BY.get(frame.method)
  const name = key === undefined ? undefined : frame.params[key]
  if (typeof name === 'string') requireHeader(headers, 'mcp-name', name)
  return true
}

/** The version that an `initialize` is answered with: the one asked for, or the newest, with which the client may go on. */
export function negotiated(asked: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === asked) ?? HANDSHAKE_VERSIONS[0]!
}

/** In the handshake the body names the version. */
function refuseUnknown({ method }: Frame, named: string | undefined): void {
  if (named === undefined || named === UNNAMED_VERSION || method === 'initialize') return
  const known = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS]
  if (!known.includes(named)) throw unsupported(named, known)
}

function unsupported(requested: string, supported: readonly string[]): RpcError {
  const shown = requested.slice(0, 100)
  const message = `the protocol version ${shown} is not served; served: ${supported.join(', ')}`
  return new RpcError(UNSUPPORTED_VERSION, message, 400, { supported, requested: shown })
}

function requireHeader(headers: IncomingHttpHeaders, name: string, expected: string): void {
  const given = headerOf(headers, name)
  if (given !== undefined && decoded(given) === expected) return
  const said = given === undefined ? 'is missing' : `says ${given.slice(0, 100)}`
  throw new RpcError(HEADER_MISMATCH, `the header ${name} ${said}, the body ${expected.slice(0, 100)}`, 400)
}

/** Reads a name that a header cannot hold, which comes as base64. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString()
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value?.trim()
}
