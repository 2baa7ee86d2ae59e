import { graphqlEnum } from '../platform/lists/graphql-enum.js'
import { TOUCHPOINTS, traitsOf } from './touchpoint-traits.js'

export const TouchpointEnum = graphqlEnum(
  'Touchpoint',
  'A channel of communication with the consumer (section 1).',
  Object.fromEntries(
    TOUCHPOINTS.map((touchpoint) => {
      const { graphqlName, description } = traitsOf(touchpoint)
      return [graphqlName, [touchpoint, description] as const]
    }),
  ),
)
