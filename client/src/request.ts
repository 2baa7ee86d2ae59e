import type { ErrorCode } from './generated/schema.js'
import type { TypedDocument } from './typed-document.js'

/** The server's refusal of one operation; `message` is for people, and names field and value. */
export class Refused extends Error {
  override readonly name = 'Refused'

  constructor(
    message: string,
    /** One of the schema's `ErrorCode`; a later version of the server may have more. */
    readonly code: ErrorCode | (string & {}),
    /** Path of the input that was refused, such as `message.text`. */
    readonly field: string | null,
    readonly retryAfterSeconds: number,
    /** Names a refusal that clients handle, such as `sentBefore` and `deleted` of a message's id. */
    readonly reason: string | null = null,
    /** Further words of the server about it, such as `minLength` of a password. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

/** Tells whether a bot may say no more, since its budget is spent: the server has queued the conversation, and waiting is of no use. */
export const isSpent = (error: unknown): boolean => error instanceof Refused && error.reason === 'BUDGET_SPENT'

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
  const known: Known = { position: null }
  return async (document, variables, signal) => {
    const send = (own: string | null) => post(options, known, own, document, variables, signal)
    if (typeof token !== 'function') return send(token)
    try {
      return await send(await token(false))
    } catch (error) {
      const isTokenRefused = error instanceof Refused && TOKEN_CODES.has(error.code)
      if (!isTokenRefused) throw error
      return send(await token(true))
    }
  }
}

/** Tells whether the same request may succeed later. */
export function passes(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && PASSING_CODES.has(error.code))
}

/** Tells whether a refusal of the code passes by itself. */
export function isPassingCode(code: string): boolean {
  return PASSING_CODES.has(code)
}

/** The server's word about the last write: its replicas are read once they have it. */
interface Known {
  position: string | null
}

const POSITION_HEADER = 'switchboard-position'

/** Answers may come in another order than the writes. */
function laterOf(known: string | null, told: string | null): string | null {
  const inOrder = (position: string) =>
    position
      .split('/')
      .map((part) => part.padStart(8, '0'))
      .join('/')
  return told === null || (known?.includes('/') && told.includes('/') && inOrder(known) > inOrder(told)) ? known : told
}

async function post<Data, Variables>(
  { serverUrl, answerMs = 20_000, fetch: send = fetch }: RequestOptions,
  known: Known,
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
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(known.position !== null && { [POSITION_HEADER]: known.position }),
      },
      body: JSON.stringify({ query, variables }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    known.position = laterOf(known.position, response.headers?.get(POSITION_HEADER) ?? null)
    answer = (await response.json()) as Answer<Data>
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable('no answer came', { cause: error })
  }
  const [refusal] = answer.errors ?? []
  if (refusal || !answer.data) {
    const {
      code = 'UNAVAILABLE',
      field = null,
      retryAfterSeconds = 0,
      reason = null,
      ...details
    } = refusal?.extensions ?? {}
    throw new Refused(refusal?.message ?? 'an answer without data', code, field, retryAfterSeconds, reason, details)
  }
  return answer.data
}
