import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { Action, ActionType } from './actions.js'
import type { Item } from './items.js'
import type { ContentType, MessageRole, MessageType, Touchpoint } from './message-content.js'
import type { MessageRow } from './message-row.js'
import type { ReportedResult } from './reported-results.js'
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

@ObjectType({ simpleResolvers: true, description: 'A message of a conversation (2.9).' })
export class Message implements Omit<MessageRow, 'org1' | 'org2' | 'org3'> {
  @Field(() => ID)
  id!: string

  @Field(() => ID)
  organizationId!: string

  @Field(() => ID)
  conversationId!: string

  @Field(() => Int, { description: 'Place in the conversation, from 1, without gaps.' })
  position!: number

  @Field(() => MessageTypeEnum)
  type!: MessageType

  @Field(() => MessageRoleEnum)
  role!: MessageRole

  @Field(() => Boolean, { description: "Shown in the agents' stream only, never routed to the consumer." })
  isBackchannel!: boolean

  @Field(() => ID, { nullable: true, description: 'The user it was sent on behalf of.' })
  userId!: string | null

  @Field(() => ContentTypeEnum)
  contentType!: ContentType

  @Field(() => String, { nullable: true, description: 'The body; of an image its address.' })
  text!: string | null

  @Field(() => ID, { nullable: true, description: 'The service it is aimed at.' })
  serviceId!: string | null

  @Field(() => TouchpointEnum, { nullable: true, description: 'The touchpoint it is aimed at, or came in by.' })
  touchpoint!: Touchpoint | null

  @Field(() => [ActionObject], { nullable: true })
  actions!: Action[] | null

  @Field(() => [ItemObject], { nullable: true })
  items!: Item[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Metadata (2.12); keys with `_` are the system's." })
  meta!: JsonObject | null

  @Field(() => [ID], { description: 'Users who like it, at most 100 (section 8).' })
  likes!: string[]

  @Field(() => [CommentObject], { description: 'At most 10 (section 8).' })
  comments!: CommentObject[]

  @Field(() => [JsonObjectScalar], {
    nullable: true,
    description:
      'Of a `RESULTS` message: the forms sent, `{form, name, category, categoryIndex, values, completedAt}`; of a `TAG`, ' +
      '`SEARCH` or `REPORT` what it was sent with, `{name, values}`.',
  })
  results?: (FormResult | ReportedResult)[] | null

  @Field(() => Int, { description: 'Grows with each copy made by a merge.' })
  version!: number

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime)
  updatedAt!: Date
}
