import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { ChannelAssignment } from './assignment.js'
import { ChannelServiceLevel } from './service-level.js'
import { ChannelSurvey } from './survey.js'
import { SIGNATURE } from '../../platform/signature.js'
import { rowLoader } from '../../platform/lists/rows.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { IfVersion } from '../../platform/lists/record-version.js'

/** GraphQL names of the values in 3.3. */
export const ChannelStatusEnum = graphqlEnum('ChannelStatus', 'Status of a channel (3.3).', {
  ACTIVE: ['active', 'In use; currently the only status.'],
})

@Entity({ tableName: 'channel' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A queue of agents: rules notify it, its members subscribe to it (2.6).',
})
export class Channel extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'text' })
  @Field(() => ChannelStatusEnum)
  status!: string

  @Property({ type: 'json', nullable: true })
  @Field(() => ChannelAssignment, {
    nullable: true,
    description: 'Way in which conversations get from the queue to agents; null: agents accept what they choose.',
  })
  assignment!: ChannelAssignment | null

  @Property({ type: 'json', nullable: true })
  @Field(() => ChannelServiceLevel, {
    nullable: true,
    description: 'Seconds by which reports count what was answered in time; null: the defaults.',
  })
  serviceLevel!: ChannelServiceLevel | null

  @Property({ type: 'json', nullable: true })
  @Field(() => ChannelSurvey, {
    nullable: true,
    description: 'The question that consumers are asked after closing; null: none.',
  })
  survey!: ChannelSurvey | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: `Signature below answers by mail in its conversations, in place of that of the agent: ${SIGNATURE} Null: none.`,
  })
  signature!: string | null
}

@InputType({ description: 'An agent of a channel (2.6).' })
export class ChannelMemberInput {
  @Field(() => ID, { description: "A user of the channel's organization, or of one above or below it." })
  user!: string

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the user may read the channel's reports and watch its wallboard; false by default.",
  })
  supervisor?: boolean | null
}

@InputType({ description: 'A new channel (4.4).' })
export class CreateChannelInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters.' })
  name!: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null

  @Field(() => [ChannelMemberInput], { nullable: true, description: 'Initial members; none by default.' })
  members?: ChannelMemberInput[] | null

  @Field(() => ChannelAssignment, { nullable: true, description: 'Agents accept what they choose by default.' })
  assignment?: ChannelAssignment | null

  @Field(() => ChannelServiceLevel, { nullable: true, description: 'By default 20 seconds, and 5 to give up.' })
  serviceLevel?: ChannelServiceLevel | null

  @Field(() => ChannelSurvey, { nullable: true, description: 'Nobody is asked by default.' })
  survey?: ChannelSurvey | null

  @Field(() => String, { nullable: true, description: `${SIGNATURE} None by default.` })
  signature?: string | null
}

@InputType({ description: 'Changes of a channel. Only the given keys change.' })
export class UpdateChannelInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: 'Not blank, at most 200 characters.' })
  name?: string | null

  @Field(() => [ChannelMemberInput], { nullable: true, description: 'Replaces all members; `null` removes them.' })
  members?: ChannelMemberInput[] | null

  @Field(() => ChannelAssignment, {
    nullable: true,
    description: 'Replaces all settings of assignment; with `null`, agents accept what they choose.',
  })
  assignment?: ChannelAssignment | null

  @Field(() => ChannelServiceLevel, {
    nullable: true,
    description: 'Replaces both seconds; with `null`, the defaults. What has been counted stays as it is.',
  })
  serviceLevel?: ChannelServiceLevel | null

  @Field(() => ChannelSurvey, {
    nullable: true,
    description: 'Replaces all settings of the survey; with `null`, nobody is asked.',
  })
  survey?: ChannelSurvey | null

  @Field(() => String, { nullable: true, description: `${SIGNATURE} With \`null\`, the agent's own is used.` })
  signature?: string | null
}

/** Referenced channels, such as a queue entry's, within the caller's tenants. */
export const channelLoader = rowLoader<Channel>('channel')
