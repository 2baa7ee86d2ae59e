import { selectList } from '../../../platform/db/columns.js'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../../platform/context.js'
import { statementName } from '../../../platform/db/statement-names.js'
import { embeddedUserProfile, type UserProfile } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { UserRole } from '../../users/user.js'
import type { Embed, Embeds } from '../../../platform/lists/embedded.js'
import { projectedLoaders, Projection } from '../../../platform/lists/projection.js'
import { rowOf } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { PARTICIPANT_COLUMNS, participantForConsumer } from '../state/conversation-columns.js'
import type { ParticipantState } from '../state/conversation-state.js'

@ObjectType({ simpleResolvers: true, description: 'A participant of a conversation (2.8, 3.2).' })
export class Participant {
  @Field(() => ID) conversationId!: string
  @Field(() => ID) userId!: string
  @Field(() => User, { nullable: true, description: 'Profile of the user; null if the user has been deleted.' })
  user!: UserProfile | null
  @Field(() => String, { nullable: true }) name!: string | null
  @Field(() => String, { nullable: true, description: 'URL of the avatar.' }) avatar!: string | null
  @Field(() => UserRole) role!: string
  @Field(() => Int, { description: 'Number of messages since the user last read or wrote.' }) unreadCount!: number
  @Field(() => Int, {
    nullable: true,
    description: 'Position of the last message that the user marked as read; null if there is none.',
  })
  readPosition!: number | null
  @Field(() => Boolean, { description: "Whether the conversation is in the user's inbox." }) inbox!: boolean
  @Field(() => Boolean, { description: 'Whether the user has accepted the conversation.' }) accepted!: boolean
  @Field(() => Boolean, { description: 'Whether the user is an active participant.' }) active!: boolean
  @Field(() => Boolean, { description: 'Whether consumer messages add the conversation to the inbox.' })
  follow!: boolean
  @Field(() => DateTime) createdAt!: Date
  @Field(() => DateTime) updatedAt!: Date
}

const ALL = selectList(PARTICIPANT_COLUMNS, 'p')

const projection = new Projection({
  alias: 'p',
  // Derived from the flags, so that guests can be shown the right participants.
  always: ['conversationId', 'userId', 'active', 'accepted'],
  reads: { id: [], user: [], organizationId: [] },
})

/**
 * Participants by conversation, in the order of joining. The caller has already checked that the conversations are
 * visible.
 */
export const participantsLoaders = projectedLoaders<ParticipantState[]>(projection, (columns) => ({
  async load(ctx, conversations) {
    const text = `select ${columns ?? ALL} from participant p where p.conversation_id = any($1::uuid[])
      order by p.created_at, p.user_id`
    const rows = await ctx.reads.query<Record<string, unknown>>(text, [conversations], statementName(text))
    const found = new Map<string, ParticipantState[]>(conversations.map((id) => [id, []]))
    for (const row of rows) {
      const participant = rowOf<ParticipantState>(row, columns)
      found.get(participant.conversationId)?.push(participant)
    }
    return found
  },
}))

/** The caller's own participation, by conversation. Visibility of the conversations has already been checked. */
export const ownParticipantLoader: LoaderDefinition<ParticipantState> = {
  async load(ctx, conversations) {
    if (ctx.maybeCaller?.kind !== 'user') return new Map()
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select ${ALL} from participant p where p.conversation_id = any($1::uuid[]) and p.user_id = $2`,
      [conversations, ctx.maybeCaller.user],
      'own-participants',
    )
    return new Map(rows.map((row) => [row.conversation_id as string, rowOf<ParticipantState>(row, null)]))
  },
}

/** Records embedded in a participant. */
export const participantEmbeds: Embeds = { user: embeddedUserProfile('ep.user_id') }

/** Embeds a conversation's participants. @param conversation the conversation's id, as an SQL column */
export const embeddedParticipants = (conversation: string): Embed => ({
  projection: new Projection({
    alias: 'ep',
    always: [],
    reads: { id: ['conversationId', 'userId'], user: ['userId'], organizationId: ['userId'] },
  }),
  sql: (object) => `(select coalesce(json_agg(${object} order by ep.created_at, ep.user_id), '[]')
    from participant ep where ep.conversation_id = ${conversation})`,
  embeds: participantEmbeds,
})

/** Returns the participants as a consumer sees them: those who talk to the consumer, without their work flags. */
export function participantsForGuest(participants: readonly ParticipantState[]): ParticipantState[] {
  return participants.filter(({ active, accepted }) => active && accepted).map(participantForConsumer)
}
