import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { DomainError, Forbidden, Unavailable } from '../../platform/errors.js'
import { OutboundFailure } from '../../platform/outbound/outbound-http.js'

const WORDS_CHARS_MAX = 200

/** Faults of a connection, or of a server that is not itself: another try may help. */
const PASSING: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_PARSE_ERROR',
])

/**
 * Says in the product's words what went wrong between it and a provider.
 * @returns Forbidden for a refusal or for what must not be believed; Unavailable for a provider that is away, or talks nonsense
 */
export function providerError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const words = quoted([error.error, error.error_description].filter(Boolean).join(': '))
    return new Forbidden(`the provider refused: ${words}`, { reason: 'PROVIDER_REFUSED' })
  }
  const failure = outboundFailureOf(error)
  if (failure) return new Unavailable(`the provider cannot be reached: ${failure.message}`, {}, 'PROVIDER_UNAVAILABLE')
  if (error instanceof ClientError && PASSING.has(error.code ?? '')) {
    return new Unavailable(
      `the provider does not answer as it should: ${quoted(error.message)}`,
      {},
      'PROVIDER_UNAVAILABLE',
    )
  }
  const words = error instanceof Error ? quoted(error.message) : 'no error'
  return new Forbidden(`the provider's answer cannot be believed: ${words}`, { reason: 'PROVIDER_ANSWER_INVALID' })
}

function outboundFailureOf(error: unknown): OutboundFailure | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof OutboundFailure) return at
  return null
}

/** Words of others in one line. */
function quoted(words: string): string {
  return words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, WORDS_CHARS_MAX)
}
