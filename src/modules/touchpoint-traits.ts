/** Properties of a touchpoint that rules, statements and checks need; the only list of touchpoints. */
interface TouchpointTraits {
  /** Name of its value in GraphQL. */
  graphqlName: string
  description: string
  /** Capacity units that a conversation takes: a chat needs an agent's attention now, a mail later. */
  weight: number
  /** Place in the order in which others are tried, from 1 (4.7, delivery rule 4). */
  fallbackRank: number
  /**
   * The way in which a contact is found there: through a guest's session, by a field of its profile, or by the address under
   * which a service knows it.
   */
  address: 'session' | 'email' | 'telephone' | 'handle'
}

/**
 * The touchpoints (section 1). The specification's "social messenger" is named `messenger`; a service's type tells which
 * provider's it is.
 */
export const TOUCHPOINT_TRAITS = {
  web: { graphqlName: 'WEB', description: 'The web messenger.', weight: 4, fallbackRank: 1, address: 'session' },
  email: { graphqlName: 'EMAIL', description: 'Email.', weight: 1, fallbackRank: 3, address: 'email' },
  sms: { graphqlName: 'SMS', description: 'Text messages.', weight: 2, fallbackRank: 4, address: 'telephone' },
  messenger: {
    graphqlName: 'MESSENGER',
    description: 'The social messenger.',
    weight: 4,
    fallbackRank: 2,
    address: 'handle',
  },
} as const satisfies Record<string, TouchpointTraits>

export type Touchpoint = keyof typeof TOUCHPOINT_TRAITS
export const TOUCHPOINTS = Object.keys(TOUCHPOINT_TRAITS) as Touchpoint[]
export const traitsOf = (touchpoint: Touchpoint): TouchpointTraits => TOUCHPOINT_TRAITS[touchpoint]
/** The order in which others are tried if one is unavailable (4.7, delivery rule 4). */
export const FALLBACK_ORDER = TOUCHPOINTS.toSorted((a, b) => traitsOf(a).fallbackRank - traitsOf(b).fallbackRank)
