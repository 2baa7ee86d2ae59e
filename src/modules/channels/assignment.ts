import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { isAbsent, parseBoolean, parseFields, parseInteger, parseOneOf } from '../../platform/input.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const AssignmentModeEnum = graphqlEnum(
  'AssignmentMode',
  'Way in which conversations get from the queue of a channel to agents.',
  {
    PULL: ['pull', 'Agents accept what they choose; the default.'],
    OFFER: ['offer', 'The server offers each conversation to one agent at a time, who accepts or declines.'],
    ASSIGN: ['assign', 'The server gives each conversation to an agent, who has then accepted it.'],
  },
)
export type AssignmentMode = (typeof AssignmentModeEnum)[keyof typeof AssignmentModeEnum]

export const AssignmentOrderEnum = graphqlEnum('AssignmentOrder', 'Order in which agents get offers.', {
  LEAST_LOADED: ['leastLoaded', 'The agent with the smallest part of its capacity in use; the default.'],
  LONGEST_IDLE: [
    'longestIdle',
    'The agent without work for the longest time: since it left a conversation, got an offer or set its status last.',
  ],
})
export type AssignmentOrder = (typeof AssignmentOrderEnum)[keyof typeof AssignmentOrderEnum]

const SECONDS = 'Seconds, 5 to 300.'
const WRAP_UP_SECONDS_MAX = 3_600
const WEIGHT_MAX = 1_000

@InputType('ChannelAssignmentInput', { description: 'Settings that are not given have their defaults.' })
@ObjectType('ChannelAssignment', {
  simpleResolvers: true,
  description: 'Way in which conversations get from the queue of a channel to its agents.',
})
export class ChannelAssignment {
  @Field(() => AssignmentModeEnum, { nullable: true, description: '`PULL` by default.' })
  mode?: AssignmentMode

  @Field(() => Int, { nullable: true, description: `Time that an offer is pending. ${SECONDS} 20 by default.` })
  offerSeconds?: number

  @Field(() => AssignmentOrderEnum, { nullable: true, description: '`LEAST_LOADED` by default.' })
  order?: AssignmentOrder

  @Field(() => Int, {
    nullable: true,
    description: `Time that a conversation waits for the agent who accepted it last, if that agent is available. ${SECONDS} Off by default.`,
  })
  preferLastSeconds?: number | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether others may accept while an offer is pending. True by default.',
  })
  othersMayAccept?: boolean

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether agents may not accept more than their capacity. False by default.',
  })
  limitPulls?: boolean

  @Field(() => Int, {
    nullable: true,
    description: `Time after which unanswered conversations of an agent who is offline are queued again. ${SECONDS} Off by default.`,
  })
  requeueGoneSeconds?: number | null

  @Field(() => Int, {
    nullable: true,
    description: `Units of an agent's capacity that a conversation from the channel takes, 1 to ${WEIGHT_MAX}; by its touchpoint by default.`,
  })
  weight?: number | null

  @Field(() => Int, {
    nullable: true,
    description: `Seconds that an agent who was \`AVAILABLE\` gets no offers after a conversation of it was closed, 5 to ${WRAP_UP_SECONDS_MAX}. Off by default.`,
  })
  wrapUpSeconds?: number | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether consumers who wait are told their place in line, and the expected wait. False by default.',
  })
  tellPlace?: boolean
}

/** Settings with their defaults. */
export type Assignment = Required<ChannelAssignment>

const KEYS = [
  'mode',
  'offerSeconds',
  'order',
  'preferLastSeconds',
  'othersMayAccept',
  'limitPulls',
  'requeueGoneSeconds',
  'wrapUpSeconds',
  'weight',
  'tellPlace',
] as const

/** Reads stored settings; null is PULL. */
export function assignmentOf(stored: ChannelAssignment | null | undefined): Assignment {
  return {
    mode: stored?.mode ?? 'pull',
    offerSeconds: stored?.offerSeconds ?? 20,
    order: stored?.order ?? 'leastLoaded',
    preferLastSeconds: stored?.preferLastSeconds ?? null,
    othersMayAccept: stored?.othersMayAccept ?? true,
    limitPulls: stored?.limitPulls ?? false,
    requeueGoneSeconds: stored?.requeueGoneSeconds ?? null,
    wrapUpSeconds: stored?.wrapUpSeconds ?? null,
    weight: stored?.weight ?? null,
    tellPlace: stored?.tellPlace ?? false,
  }
}

/** @throws BadUserInput naming the field: `assignment.offerSeconds` */
export function parseAssignment(value: unknown, field: string): ChannelAssignment | null {
  if (isAbsent(value)) return null
  const given = parseFields(value instanceof ChannelAssignment ? { ...value } : value, field, KEYS)
  const at = (key: string): string => `${field}.${key}`
  const seconds = (key: (typeof KEYS)[number], max = 300): number | null =>
    isAbsent(given[key]) ? null : parseInteger(given[key], at(key), 5, max)
  const flag = (key: (typeof KEYS)[number]): boolean | undefined =>
    isAbsent(given[key]) ? undefined : parseBoolean(given[key], at(key))
  return assignmentOf({
    mode: isAbsent(given.mode) ? undefined : parseOneOf(given.mode, at('mode'), Object.values(AssignmentModeEnum)),
    offerSeconds: seconds('offerSeconds') ?? undefined,
    order: isAbsent(given.order) ? undefined : parseOneOf(given.order, at('order'), Object.values(AssignmentOrderEnum)),
    preferLastSeconds: seconds('preferLastSeconds'),
    othersMayAccept: flag('othersMayAccept'),
    limitPulls: flag('limitPulls'),
    requeueGoneSeconds: seconds('requeueGoneSeconds'),
    wrapUpSeconds: seconds('wrapUpSeconds', WRAP_UP_SECONDS_MAX),
    weight: isAbsent(given.weight) ? null : parseInteger(given.weight, at('weight'), 1, WEIGHT_MAX),
    tellPlace: flag('tellPlace'),
  })
}
