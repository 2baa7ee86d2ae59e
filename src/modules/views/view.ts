import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { JsonObject as Json } from '../../platform/json.js'
import type { OrderTerm } from '../../platform/lists/connection.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { JsonObject } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { ConversationFilter, ConversationOrder } from '../conversations/api/conversation-list.js'

const NAME =
  'Not blank, at most 80 characters; unique among the views of its owner, or of those that are shared, ignoring case.'
const FILTER =
  'Conditions on conversations with consumers. What could match nothing is refused, and what the caller does not see.'
const ORDER = 'Order of its conversations; that of the last message, newest first, if it has no terms.'
const AS_GIVEN = 'as the filter of `conversations` and of `bulk` takes them'

@Entity({ tableName: 'view' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A saved choice of conversations. Whoever reads it finds with its filter what it may see itself, whoever saved it.',
})
export class View extends TenantRecord {
  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The user whose own it is; null: all agents of the organization have it.',
  })
  ownerId!: string | null

  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'json' })
  @Field(() => JsonObject, { description: `Conditions of its conversations, ${AS_GIVEN}.` })
  filter!: Json

  @Property({ type: 'json' })
  @Field(() => [JsonObject], { description: 'Terms of its order, as `orderBy` of `conversations` takes them.' })
  orderBy!: (OrderTerm & Json)[]

  /** Names of what the filter names, by id, for when it is gone. */
  @Property({ type: 'json' })
  names!: Record<string, string>
}

export const ViewedKindEnum = graphqlEnum('ViewedKind', 'Kind of a record that the filter of a view names.', {
  LABEL: ['Label', 'A label.'],
  CHANNEL: ['Channel', 'A channel.'],
  USER: ['User', 'A colleague.'],
  CONTACT: ['Contact', 'A contact.'],
  CONVERSATION: ['Conversation', 'A conversation.'],
  ORGANIZATION: ['Organization', 'An organization.'],
})
export type ViewedKind = (typeof ViewedKindEnum)[keyof typeof ViewedKindEnum]

@ObjectType({
  simpleResolvers: true,
  description: 'A record that the filter of a view names, and which is gone or archived by now.',
})
export class ViewGap {
  @Field(() => String, { description: 'Place in the filter that names it, such as `filter.labels.eq`.' })
  field!: string

  @Field(() => ViewedKindEnum, { description: 'Kind of the record.' })
  kind!: ViewedKind

  @Field(() => ID, { description: 'Id that the filter has.' })
  id!: string

  @Field(() => String, {
    nullable: true,
    description: 'Name of a label, a channel or an organization when the view was saved.',
  })
  name!: string | null

  @Field(() => Boolean, {
    description:
      'True of a label that is archived: it stays on conversations, and is put on no more. False: it is gone.',
  })
  isArchived!: boolean
}

@InputType({
  description: 'A view. Of one that is there only the given keys change; a new one needs `name` and `filter`.',
})
export class SaveViewInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => ConversationFilter, { nullable: true, description: FILTER })
  filter?: object | null

  @Field(() => [ConversationOrder], { nullable: true, description: `At most 5 terms. ${ORDER}` })
  orderBy?: OrderTerm[] | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether all agents of the organization have it, which needs the scope admin or the supervision of a channel of it. A new one is by default the caller's own; it stays as it is.",
  })
  isShared?: boolean | null

  @Field(() => ID, {
    nullable: true,
    description: "Organization that shares it; the caller's by default. It stays as it is.",
  })
  organization?: string | null
}
