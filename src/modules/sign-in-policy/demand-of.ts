import { BadUserInput } from '../../platform/errors.js'
import type { StoredSignInPolicy } from './sign-in-policy.js'
import type { SignInRules } from './sign-in-rules.js'

/** Returns what is stored of the demand of a second factor: a stricter one begins now for whom it is new. @throws BadUserInput */
export function demandOf(
  given: Partial<SignInRules>,
  stored: StoredSignInPolicy | null,
  now: Date,
): Pick<StoredSignInPolicy, 'secondFactor' | 'graceDays' | 'adminsFactorSince' | 'allFactorSince'> {
  const asked = given.secondFactor === undefined ? (stored?.secondFactor ?? null) : given.secondFactor
  const secondFactor = asked === 'off' ? null : asked
  const days = given.graceDays === undefined ? (stored?.graceDays ?? null) : given.graceDays
  if (secondFactor === null && given.graceDays != null)
    throw new BadUserInput('graceDays', 'graceDays needs secondFactor', 'MISSING_VALUE')
  return {
    secondFactor,
    graceDays: secondFactor === null ? null : (days ?? 0),
    adminsFactorSince: secondFactor === null ? null : (stored?.adminsFactorSince ?? now),
    allFactorSince: secondFactor === 'all' ? (stored?.allFactorSince ?? now) : null,
  }
}
