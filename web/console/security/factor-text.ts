import type { SecondFactorQuery } from '../../generated/security.js'
import { words } from './words.js'

/** Tells since when a factor is on, and when it was last used. */
export function factorText(
  { createdAt, usedAt }: NonNullable<SecondFactorQuery['secondFactor']>,
  format: (time: string) => string,
): string {
  return [words.since(format(createdAt)), usedAt ? words.lastUsed(format(usedAt)) : words.never].join(' · ')
}
