import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { AgentState } from '../../staffing/agent-state.js'
import { StreamEvent } from './stream-event.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "The states of the channels' agents, which replace all earlier ones.",
})
export class AgentStatesSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
  @Field(() => [AgentState], { description: 'In the order of the ids of the users.' }) agents!: AgentState[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "An agent's availability, capacity or skills changed; in the `inbox`, the caller's own.",
})
export class AgentStateChanged extends StreamEvent {
  @Field(() => AgentState, { description: 'The state after the change.' }) agent!: AgentState
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'An agent is no longer a member of any of the channels.',
})
export class AgentStateRemoved extends StreamEvent {
  @Field(() => ID, { description: 'User whose state is shown no longer.' }) userId!: string
}

export const AgentStatesEvent = createUnionType({
  name: 'AgentStatesEvent',
  description: 'An event of the states of agents.',
  types: () => [AgentStatesSnapshot, AgentStateChanged, AgentStateRemoved] as const,
})
