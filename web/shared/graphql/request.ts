import type { TypedDocument } from './typed-document.js'

/** The server's refusal of one operation; `message` is for people, and names field and value. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly field: string | null,
    readonly retryAfterSeconds: number,
  ) {
    super(message)
  }
}

/** No answer came: it may or may not have been done. */
export class Unreachable extends Error {}

export interface RequestOptions {
  /** @param isRefused the last one was not accepted: get another */
  token(isRefused: boolean): Promise<string>
}

export type Request = <Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
) => Promise<Data>

interface Answer<Data> {
  data?: Data | null
  errors?: { message: string; extensions?: { code?: string; field?: string; retryAfterSeconds?: number } }[]
}

const TOKEN_CODES = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED'])
/** Longer, and the answer is as good as lost. */
const ANSWER_MS = 20_000

/** Sends operations over HTTP; one whose token was refused is sent once more with a new one. */
export function createRequest({ token }: RequestOptions): Request {
  return async (document, variables, signal) => {
    const once = async (isRefused: boolean) => send(await token(isRefused), document, variables, signal)
    try {
      return await once(false)
    } catch (error) {
      if (error instanceof Refused && TOKEN_CODES.has(error.code)) return once(true)
      throw error
    }
  }
}

/** One operation of those that need no credentials. @throws Refused, Unreachable */
export function requestAnonymously<Data, Variables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  return send(null, document, variables, undefined)
}

async function send<Data, Variables>(
  token: string | null,
  query: TypedDocument<Data, Variables>,
  variables: Variables,
  signal: AbortSignal | undefined,
): Promise<Data> {
  const timeout = AbortSignal.timeout(ANSWER_MS)
  let answer: Answer<Data>
  try {
    const response = await fetch('/graphql', {
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
    const { code = 'UNAVAILABLE', field = null, retryAfterSeconds = 0 } = refusal?.extensions ?? {}
    throw new Refused(refusal?.message ?? 'an answer without data', code, field, retryAfterSeconds)
  }
  return answer.data
}

/** Whether the same request may succeed later. */
export function passes(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof Refused && ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_SERVER_ERROR'].includes(error.code)
}
