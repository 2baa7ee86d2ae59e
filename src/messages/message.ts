import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { TenantEntity } from '../db/tenancy.js'
import type { JsonObject } from '../json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { Action, ActionType } from './actions.js'
import type { Item } from './items.js'
import type { ContentType, MessageRole, MessageType, Touchpoint } from './message-content.js'
import { ActionTypeEnum, ContentTypeEnum, MessageRoleEnum, MessageTypeEnum, TouchpointEnum } from './message-enums.js'

@ObjectType('Action', { simpleResolvers: true, description: 'A button of a message (2.10).' })
export class ActionObject {
  @Field(() => ActionTypeEnum) type!: ActionType
  @Field(() => String, { description: 'What the button says.' }) text!: string
  @Field(() => String, { nullable: true, description: 'Of a link or webview.' }) uri?: string
  @Field(() => String, { nullable: true, description: 'Of a reply or postback: the intent.' }) payload?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true, description: 'For clients without webviews.' }) fallback?: string
  @Field(() => String, { nullable: true, description: 'Of a webview, such as `full`.' }) size?: string
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject
}

@ObjectType('Item', { simpleResolvers: true, description: "An element of a message's list (2.10)." })
export class ItemObject {
  @Field(() => String, { nullable: true }) title?: string
  @Field(() => String, { nullable: true }) description?: string
  @Field(() => String, { nullable: true, description: 'Such as `compact`.' }) size?: string
  @Field(() => String, { nullable: true }) mediaUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => [ActionObject], { nullable: true }) actions?: Action[]
}

@ObjectType('Comment', { simpleResolvers: true, description: "An agent's comment on a message (4.8)." })
export class CommentObject {
  @Field(() => ID, { description: 'Who commented.' }) user!: string
  @Field(() => ID, { description: 'The command message that made the comment.' }) message!: string
  @Field(() => String) text!: string
}

@Entity({ tableName: 'message' })
@ObjectType({ simpleResolvers: true, description: 'A message of a conversation (2.9).' })
export class Message extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Field(() => ID)
  declare organizationId: string

  @Property({ type: 'uuid' })
  @Field(() => ID)
  conversationId!: string

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Place in the conversation, from 1, without gaps.' })
  position!: number

  @Property({ type: 'text' })
  @Field(() => MessageTypeEnum)
  type!: MessageType

  @Property({ type: 'text' })
  @Field(() => MessageRoleEnum)
  role!: MessageRole

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: 'Shown in the agents\' stream only, never routed to the consumer.' })
  isBackchannel!: boolean

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The user it was sent on behalf of.' })
  userId!: string | null

  @Property({ type: 'text' })
  @Field(() => ContentTypeEnum)
  contentType!: ContentType

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'The body; of an image its address.' })
  text!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The service it is aimed at.' })
  serviceId!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => TouchpointEnum, { nullable: true, description: 'The touchpoint it is aimed at, or came in by.' })
  touchpoint!: Touchpoint | null

  @Property({ type: 'json', nullable: true })
  @Field(() => [ActionObject], { nullable: true })
  actions!: Action[] | null

  @Property({ type: 'json', nullable: true })
  @Field(() => [ItemObject], { nullable: true })
  items!: Item[] | null

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Metadata (2.12); keys with `_` are the system\'s.' })
  meta!: JsonObject | null

  @Property({ type: 'uuid[]' })
  @Field(() => [ID], { description: 'Users who like it, at most 100 (section 8).' })
  likes!: string[]

  @Property({ type: 'json' })
  @Field(() => [CommentObject], { description: 'At most 10 (section 8).' })
  comments!: CommentObject[]

  @Property({ type: 'int' })
  @Field(() => Int, { description: 'Grows with each copy made by a merge.' })
  version!: number

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date
}
