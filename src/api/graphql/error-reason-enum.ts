import { GraphQLEnumType } from 'graphql'
import { ERROR_REASONS } from '../../platform/error-reasons.js'

export const ErrorReasonEnum = new GraphQLEnumType({
  name: 'ErrorReason',
  description:
    'Values of `extensions.reason` in errors, of which a later version may have more; `extensions.docs` explains each.',
  values: Object.fromEntries(Object.entries(ERROR_REASONS).map(([name, [, description]]) => [name, { description }])),
})
