import { BadUserInput } from '../../../platform/errors.js'
import { isPlainObject, type JsonObject } from '../../../platform/json.js'

/** The fields of an answer that are texts in base64url, in its `response`. */
type Part = 'clientDataJSON' | 'attestationObject' | 'authenticatorData' | 'signature'

/** An answer of a browser, as `PublicKeyCredential.toJSON()` returns it. */
export interface PasskeyAnswer {
  id: string
  rawId: string
  type: 'public-key'
  clientExtensionResults: Record<string, never>
  response: Record<Part, string> & { userHandle?: string; transports?: string[] }
}

/** The part of an answer that the browser, and not the authenticator, has written. */
export interface ClientData {
  challenge: string
  origin: string
  /** True if another site's page asked, in a frame. */
  isCrossOrigin: boolean
}

/** An attestation may hold certificates, which are not read: see `withoutAttestation`. */
const ANSWER_CHARS_MAX = 32_768
const BASE64URL = /^[\w-]+$/
const TRANSPORT = /^[a-z-]{1,32}$/
const TRANSPORTS_MAX = 8

/** Reads the shape of an answer to `navigator.credentials.create()` or `get()`, not whether it is true. @throws BadUserInput */
export function parseAnswer(
  given: JsonObject,
  field: string,
  parts: readonly Part[],
): { answer: PasskeyAnswer; clientData: ClientData } {
  const invalid = (what: string) =>
    new BadUserInput(field, `${field} must be what PublicKeyCredential.toJSON() returns: ${what}`)
  if (JSON.stringify(given).length > ANSWER_CHARS_MAX) throw invalid(`more than ${ANSWER_CHARS_MAX} characters`)
  const text = (value: unknown, name: string): string => {
    if (typeof value !== 'string' || !BASE64URL.test(value)) throw invalid(`${name} is not base64url`)
    return value
  }
  const { response } = given
  if (!isPlainObject(response)) throw invalid('response is missing')
  const read: Record<string, unknown> = response
  const kept = Object.fromEntries(parts.map((part) => [part, text(read[part], `response.${part}`)]))
  const { userHandle, transports } = read
  const answer = {
    id: text(given.id, 'id'),
    rawId: text(given.rawId, 'rawId'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      ...kept,
      ...(userHandle != null && { userHandle: text(userHandle, 'response.userHandle') }),
      ...(Array.isArray(transports) && { transports: transports.filter(isTransport).slice(0, TRANSPORTS_MAX) }),
    },
  } as PasskeyAnswer
  const clientData = clientDataOf(answer.response.clientDataJSON)
  if (!clientData) throw invalid('response.clientDataJSON is not of a browser')
  return { answer, clientData }
}

function isTransport(value: unknown): value is string {
  return typeof value === 'string' && TRANSPORT.test(value)
}

function clientDataOf(encoded: string): ClientData | null {
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (!isPlainObject(read)) return null
  const { challenge, origin, crossOrigin } = read
  if (typeof challenge !== 'string' || typeof origin !== 'string') return null
  return { challenge, origin, isCrossOrigin: crossOrigin === true }
}
