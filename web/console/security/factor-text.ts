import { Refused } from '@switchboard/client'
import type { SecondFactorQuery } from '../../generated/security.js'
import { words } from './words.js'

/** Tells since when a factor is on, and when it was last used. */
export function factorText(
  { createdAt, usedAt }: NonNullable<SecondFactorQuery['secondFactor']>,
  format: (time: string) => string,
): string {
  return [words.since(format(createdAt)), usedAt ? words.lastUsed(format(usedAt)) : words.never].join(' · ')
}

/** Tells why a change of factors was refused. */
export function faultText(error: Error): string {
  const reason = error instanceof Refused ? error.reason : null
  if (reason === 'WRONG_PASSWORD') return words.wrongPassword
  if (reason === 'SECOND_FACTOR_DEMANDED') return words.demanded
  return reason === 'CODE_WRONG' ? words.wrongCode : error.message
}
