import type { TypedDocument } from '@switchboard/client'

/** The server's refusal; `message` is for people, and names field and value. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly code: string,
    /** The part of the input that is refused. */
    readonly field?: string,
  ) {
    super(message)
  }
}

const LONGEST_PAUSE_MS = 15_000
const ANSWER_MS = 20_000
const PASSING = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_SERVER_ERROR'])

/** Tells whether the same may be done later: no answer came, or one that passes. */
export function passes(error: unknown): boolean {
  return !(error instanceof Refused) || PASSING.has(error.code)
}

/** Grows with the failures, and is random: a thousand visitors do not come back in the same moment. */
export function pauseMs(firstMs: number, failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** failures) * (0.5 + Math.random() / 2)
}

export function isTokenRefused(error: unknown): boolean {
  return error instanceof Refused && (error.code === 'UNAUTHENTICATED' || error.code === 'TOKEN_EXPIRED')
}

interface Answer<Data> {
  data?: Data | null
  errors?: { message: string; extensions?: { code?: string; field?: string } }[]
}

export async function request<Data, Variables>(
  server: string,
  token: string | null,
  query: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(`${server}/graphql`, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const { data, errors } = (await response.json()) as Answer<Data>
  const [refusal] = errors ?? []
  if (refusal || !data) {
    const { code = 'UNAVAILABLE', field } = refusal?.extensions ?? {}
    throw new Refused(refusal?.message ?? code, code, field)
  }
  return data
}
