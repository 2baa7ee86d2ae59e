import { createHash, timingSafeEqual } from 'node:crypto'
import type { OperatorCaller } from '../../platform/access/caller.js'
import { OPERATOR } from '../../platform/access/scopes.js'

/** The path of the operator, which is no organization's: whatever reads by the caller's tenants finds nothing. */
const NO_CENTER = '00000000-0000-0000-0000-000000000000'

/** The operator, who has one scope and no contact center. */
export const OPERATOR_CALLER: OperatorCaller = Object.freeze<OperatorCaller>({
  kind: 'operator',
  key: 'operator',
  organization: NO_CENTER,
  path: [NO_CENTER],
  scopes: new Set([OPERATOR]),
})

/** Returns a function that tells whether a bearer token is the operator's, in the same time for any other. */
export function createOperatorCheck(operatorToken: string): (token: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(operatorToken)
  return (token) => timingSafeEqual(digest(token), expected)
}
