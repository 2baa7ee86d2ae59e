import { Field, ID, ObjectType } from 'type-graphql'
import type { JsonObject } from '../../platform/json.js'
import { connectionType, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, type FilterFields } from '../../platform/lists/filters.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'

export const HeldDeedEnum = graphqlEnum('HeldDeed', 'Acts before which the message of a held conversation was kept.', {
  EDITED: ['edited', 'Changed: the conversation shows what it says now.'],
  DELETED: ['deleted', 'Deleted.'],
  CANCELLED: ['cancelled', 'Taken back by its sender before it was sent.'],
})
export type HeldDeed = (typeof HeldDeedEnum)[keyof typeof HeldDeedEnum]

@ObjectType({
  simpleResolvers: true,
  description:
    'A message of a held conversation as it was before somebody edited or deleted it, or took it back before it was sent. It goes with the last hold on it.',
})
export class HeldMessage {
  @Field(() => ID, { description: 'Unique identifier.' })
  id!: string

  @Field(() => ID, { description: 'The conversation in which it was.' })
  conversationId!: string

  @Field(() => ID, { description: 'Id of the message, which may be gone.' })
  messageId!: string

  @Field(() => [ID], { description: 'The holds that keep it.' })
  holds!: string[]

  @Field(() => HeldDeedEnum)
  deed!: HeldDeed

  @Field(() => ID, { nullable: true, description: 'The user who did it. Null: the service itself, or the consumer.' })
  changedById!: string | null

  @Field(() => DateTime, { description: 'Time of the deed.' })
  createdAt!: Date

  @Field(() => String, { description: 'Type of the message, as in `Message.type`, in lower case.' })
  type!: string

  @Field(() => String, { description: 'Role of its sender, in lower case.' })
  role!: string

  @Field(() => ID, { nullable: true, description: 'The user who wrote it.' })
  userId!: string | null

  @Field(() => DateTime, { description: 'Time at which it was sent; of one that was taken back, the time of that.' })
  sentAt!: Date

  @Field(() => String, { nullable: true, description: 'Text before the deed.' })
  text!: string | null

  @Field(() => [JsonObjectScalar], { nullable: true, description: 'Buttons before the deed.' })
  actions!: JsonObject[] | null

  @Field(() => [JsonObjectScalar], { nullable: true, description: 'List elements before the deed.' })
  items!: JsonObject[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: 'Metadata before the deed.' })
  meta!: JsonObject | null
}

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  conversation: { kind: 'id', sql: 't.conversation_id' },
  message: { kind: 'id', sql: 't.message_id' },
  hold: { kind: 'idArray', sql: 't.holds' },
  deed: { kind: 'text', sql: 't.deed', values: HeldDeedEnum },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
}

export const heldMessageList: ListDefinition = {
  table: 'held_message',
  fields,
  defaultOrder: [{ field: 'createdAt', direction: OrderDirection.ASC }],
}
export const HeldMessageFilter = filterInput('HeldMessageFilter', fields)
export const HeldMessageConnection = connectionType('HeldMessage', () => HeldMessage)
