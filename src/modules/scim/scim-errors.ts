import { BadUserInput } from '../../platform/errors.js'

/** Detail error keywords of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal with the keyword that SCIM has for it. */
export function scimError(scimType: ScimType, field: string, message: string): BadUserInput {
  return new BadUserInput(field, message, 'INVALID_VALUE', { scimType })
}
