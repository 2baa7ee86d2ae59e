import type { LoaderDefinition } from '../../platform/context.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DEAD_AFTER_SECONDS } from '../../platform/presence/presence-times.js'
import type { Availability } from './availability.js'

export const StandingEnum = graphqlEnum(
  'Standing',
  "An agent's availability, connection and load in one word, the same on every screen.",
  {
    AVAILABLE: ['available', 'Gets new conversations.'],
    FULL: ['full', 'Available, and gets a new conversation when a place frees.'],
    PAUSED: ['paused', '`BUSY` or `AWAY`: gets none, and keeps its conversations.'],
    WRAPPING_UP: ['wrappingUp', 'Has closed a conversation, and gets the next one when the time after it is over.'],
    NOT_ANSWERING: ['notAnswering', 'Missed two offers, and gets no more until it is back.'],
    NOT_WORKING: ['notWorking', 'Signed in, and has not started.'],
    SIGNED_OUT: ['signedOut', 'Has no connection.'],
  },
)
export type Standing = (typeof StandingEnum)[keyof typeof StandingEnum]

export interface StandingFacts {
  availability: Availability
  /** True while a queue is subscribed to. */
  isConnected: boolean
  /** Units of conversations that the agent has, of those that it can take. */
  load: number
  capacity: number
}

/** Says in one word how an agent stands: the only place where the words are decided. */
export function standing({ availability, isConnected, load, capacity }: StandingFacts): Standing {
  switch (availability) {
    case 'busy':
    case 'away':
      return 'paused'
    case 'notResponding':
      return 'notAnswering'
    case 'wrapUp':
      return isConnected ? 'wrappingUp' : 'signedOut'
    case 'offline':
      return isConnected ? 'notWorking' : 'signedOut'
    case 'available':
      return !isConnected ? 'signedOut' : load >= capacity ? 'full' : 'available'
  }
}

/** Tells of users whether they are subscribed to a queue on a living node. */
export const connectedLoader: LoaderDefinition<boolean> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<{ user: string }>(
      `select distinct q.user_id as user from queue_subscriber q join node n on n.id = q.node_id
       where q.user_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2)`,
      [users, DEAD_AFTER_SECONDS],
      'connected-agents',
    )
    const connected = new Set(rows.map(({ user }) => user))
    return new Map(users.map((user) => [user, connected.has(user)]))
  },
}
