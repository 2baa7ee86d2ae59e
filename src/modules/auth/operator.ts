import { createHash, timingSafeEqual } from 'node:crypto'
import { NIL } from 'uuid'
import type { OperatorCaller } from '../../platform/access/caller.js'
import { OPERATOR } from '../../platform/access/scopes.js'

/** The operator, who has one scope and no contact center. */
export const OPERATOR_CALLER: OperatorCaller = Object.freeze<OperatorCaller>({
  kind: 'operator',
  key: 'operator',
  // No organization's: whatever reads by the caller's tenants finds nothing.
  organization: NIL,
  path: [NIL],
  scopes: new Set([OPERATOR]),
})

/** Returns a function that tells whether a bearer token is the operator's, in the same time for any other. */
export function createOperatorCheck(operatorToken: string): (token: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(operatorToken)
  return (token) => timingSafeEqual(digest(token), expected)
}
