import type { ErrorCode } from './generated/schema.js'
import type { TypedDocument } from './typed-document.js'

/** The server's refusal of one operation; `message` is for people, and names field and value. */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(
    message: string,
    /** Of the schema's `ErrorCode`; a later version of the server may have more. */
    readonly code: ErrorCode | (string & {}),
    /** Path of the input that was refused, such as `message.text`. */
    readonly field: string | null,
    readonly retryAfterSeconds: number,
    /** Names a refusal that clients handle, such as `sentBefore` and `deleted` of a message's id. */
    readonly reason: string | null = null,
  ) {
    super(message)
  }
}

/** No answer came: it may or may not have been done. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** A token, or where to get one. @param isRefused the last one was not accepted: get another */
export type TokenSource = string | ((isRefused: boolean) => Promise<string> | string)

export interface RequestOptions {
  /** Base of the server's addresses; empty in a page that it serves. */
  serverUrl: string
  /** Null for operations that need no credentials. */
  token: TokenSource | null
  /** Aborts, and the answer counts as lost; 20,000 by default. */
  answerMs?: number
  fetch?: typeof fetch
}

/** @throws Refused, Unreachable; the signal's reason when it aborts */
export type Request = <Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
) => Promise<Data>

interface Answer<Data> {
  data?: Data | null
  errors?: {
    message: string
    extensions?: { code?: string; field?: string; retryAfterSeconds?: number; reason?: string }
  }[]
}

const TOKEN_CODES = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED'])
const PASSING_CODES = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_SERVER_ERROR'])

/** Sends operations over HTTP; one whose token was refused is sent once more with a new one, where `token` is a function. */
export function createRequest(options: RequestOptions): Request {
  const { token } = options
  return async (document, variables, signal) => {
    if (typeof token !== 'function') return post(options, token, document, variables, signal)
    try {
      return await post(options, await token(false), document, variables, signal)
    } catch (error) {
      const isTokenRefused = error instanceof Refused && TOKEN_CODES.has(error.code)
      if (!isTokenRefused) throw error
      return post(options, await token(true), document, variables, signal)
    }
  }
}

/** Whether the same request may succeed later. */
export function passes(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && PASSING_CODES.has(error.code))
}

/** Whether a refusal of the code passes by itself. */
export function isPassingCode(code: string): boolean {
  return PASSING_CODES.has(code)
}

async function post<Data, Variables>(
  { serverUrl, answerMs = 20_000, fetch: send = fetch }: RequestOptions,
  token: string | null,
  query: TypedDocument<Data, Variables>,
  variables: Variables,
  signal: AbortSignal | undefined,
): Promise<Data> {
  const timeout = AbortSignal.timeout(answerMs)
  let answer: Answer<Data>
  try {
    const response = await send(`${serverUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    answer = (await response.json()) as Answer<Data>
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable('no answer came', { cause: error })
  }
  const [refusal] = answer.errors ?? []
  if (refusal || !answer.data) {
    const { code = 'UNAVAILABLE', field = null, retryAfterSeconds = 0, reason = null } = refusal?.extensions ?? {}
    throw new Refused(refusal?.message ?? 'an answer without data', code, field, retryAfterSeconds, reason)
  }
  return answer.data
}
