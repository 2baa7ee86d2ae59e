import { Field, ID, InputType, Int } from 'type-graphql'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseOneOf, parseText } from '../../platform/input.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const AvailabilityEnum = graphqlEnum(
  'Availability',
  'Whether an agent takes conversations that the server offers. Independent of the status of the user.',
  {
    AVAILABLE: ['available', 'Takes offers from the channels whose queue it is subscribed to.'],
    BUSY: ['busy', 'Takes no offers, and keeps its conversations.'],
    AWAY: ['away', 'Takes no offers for a while, and keeps its conversations.'],
    OFFLINE: [
      'offline',
      'Takes no offers; also set 60 seconds after the last subscription to a queue ended. The initial state.',
    ],
    NOT_RESPONDING: [
      'notResponding',
      'Set by the server after two offers in a row were missed; no offers until the agent sets another state or accepts.',
    ],
    WRAP_UP: [
      'wrapUp',
      'Set by the server for some seconds after a conversation of an available agent was closed; ends by itself, or when the agent sets a state.',
    ],
  },
)
export type Availability = (typeof AvailabilityEnum)[keyof typeof AvailabilityEnum]

/** States that a user sets: only the server finds that somebody does not respond, or has closed a conversation. */
const SETTABLE = Object.values(AvailabilityEnum).filter((state) => state !== 'notResponding' && state !== 'wrapUp')
const WITH_REASON: readonly Availability[] = ['busy', 'away']
const REASON_CHARS_MAX = 200

export const CAPACITY = { default: 12, max: 1_000 }
/** Maximum number of skills of a user. */
export const SKILLS_MAX = 100

export interface GivenAvailability {
  availability: Availability
  reason: string | null
  /** Null for none. */
  reasonCodeId?: string | null
  /** The time after a closing; with `wrapUp` only. */
  wrapUp?: WrapUp | null
  /** True if it follows by itself: an agent who is gone is not there because of it. */
  isBySystem?: boolean
}

/** The time after a closing, and of what. */
export interface WrapUp {
  until: Date
  conversationId: string
}

/** @throws BadUserInput naming `availability` or `reason` */
export function parseAvailability(availability: unknown, reason: unknown): GivenAvailability {
  const state = parseOneOf(availability, 'availability', SETTABLE)
  if (isAbsent(reason)) return { availability: state, reason: null }
  const text = parseText(reason, 'reason', { max: REASON_CHARS_MAX }).trim()
  if (!WITH_REASON.includes(state)) {
    throw new BadUserInput('reason', `reason ${quoteValue(text)} is only possible with ${WITH_REASON.join(' and ')}`)
  }
  return { availability: state, reason: text || null }
}

@InputType({ description: 'Changes of what an agent can take. Only the given keys change.' })
export class UpdateStaffInput {
  @Field(() => Int, {
    nullable: true,
    description: `Units of conversations that may be pushed to the agent, 0 to ${CAPACITY.max}; ${CAPACITY.default} by default.`,
  })
  capacity?: number | null

  @Field(() => [ID], {
    nullable: true,
    description: `Replaces all skills; \`null\` removes them. At most ${SKILLS_MAX}.`,
  })
  skills?: string[] | null
}
