import { Extensions, Field, ID, Int, ObjectType } from 'type-graphql'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../../platform/json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { Action, ActionType } from './actions.js'
import type { Item } from './items.js'
import type { ContentType, MessageRole, MessageType } from './message-enums.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import type { MessageRow } from './message-row.js'
import type { Provenance, Source } from './provenance.js'
import type { ReportedResult } from './reported-results.js'
import { ActionTypeEnum, ContentTypeEnum, MessageRoleEnum, MessageTypeEnum } from './message-enums.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { StreamEndingEnum, type StreamEnding } from './stream-ending.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { Node } from '../../platform/lists/node.js'

@Extensions(PART_OF_RECORD)
@ObjectType('Action', { simpleResolvers: true, description: 'A button of a message (2.10).' })
export class ActionObject {
  @Field(() => ActionTypeEnum) type!: ActionType
  @Field(() => String, { description: 'Label of the button.' }) text!: string
  @Field(() => String, { nullable: true, description: 'Address of a link or webview.' }) uri?: string
  @Field(() => String, { nullable: true, description: 'Intent of a reply or postback.' }) payload?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true, description: 'Address for clients without webviews.' }) fallback?: string
  @Field(() => String, { nullable: true, description: 'Size of a webview, such as `full`.' }) size?: string
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject
}

@Extensions(PART_OF_RECORD)
@ObjectType('Item', { simpleResolvers: true, description: "An element of a message's list (2.10)." })
export class ItemObject {
  @Field(() => String, { nullable: true }) title?: string
  @Field(() => String, { nullable: true }) description?: string
  @Field(() => String, { nullable: true, description: 'Style, such as `compact`.' }) size?: string
  @Field(() => String, { nullable: true }) mediaUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => [ActionObject], { nullable: true }) actions?: Action[]
}

@Extensions(PART_OF_RECORD)
@ObjectType('Comment', { simpleResolvers: true, description: "An agent's comment on a message (4.8)." })
export class CommentObject {
  @Field(() => String) text!: string
}

@Extensions(PART_OF_RECORD)
@ObjectType('MessageSource', { simpleResolvers: true, description: 'A text to which a message refers.' })
export class SourceObject {
  @Field(() => String, { description: 'Title, for display.' }) title!: string
  @Field(() => String, { nullable: true, description: 'Address of the text; null if it has none.' })
  url!: string | null
}

@Extensions(PART_OF_RECORD)
@ObjectType('MessageProvenance', {
  simpleResolvers: true,
  description: "A bot's claim of what its message was made of; the server checks nothing of it.",
})
export class ProvenanceObject {
  @Field(() => String, { nullable: true, description: 'Name of the model; null for guests.' }) model!: string | null
  @Field(() => [String], { description: 'Names of the tools that it used; empty for guests.' }) tools!: string[]
  /** Few, and in the message's row. */
  @Extensions({ listLength: 1 })
  @Field(() => [SourceObject], { description: 'Texts to which it refers, which consumers see too.' })
  sources!: Source[]
}

@ObjectType({ implements: Node, simpleResolvers: true, description: 'A message of a conversation (2.9).' })
export class Message implements Omit<MessageRow, 'org1' | 'org2' | 'org3' | 'comments'> {
  @Field(() => ID)
  id!: string

  @Field(() => ID)
  organizationId!: string

  @Field(() => ID)
  conversationId!: string

  @Field(() => Int, { description: 'Position in the conversation, from 1, without gaps.' })
  position!: number

  @Field(() => MessageTypeEnum)
  type!: MessageType

  @Field(() => MessageRoleEnum)
  role!: MessageRole

  @Field(() => Boolean, { description: 'Whether the message is only shown to agents and never sent to the consumer.' })
  isBackchannel!: boolean

  @Field(() => ID, { nullable: true, description: 'The user on whose behalf the message was sent.' })
  userId!: string | null

  @Field(() => ContentTypeEnum)
  contentType!: ContentType

  @Field(() => String, { nullable: true, description: 'The body; for an image, its address.' })
  text!: string | null

  @Field(() => ID, { nullable: true, description: 'The service to send by.' })
  serviceId!: string | null

  @Field(() => TouchpointEnum, {
    nullable: true,
    description: 'The touchpoint that the message took, to the consumer or from the consumer.',
  })
  touchpoint!: Touchpoint | null

  @Field(() => [ActionObject], { nullable: true })
  actions!: Action[] | null

  @Field(() => [ItemObject], { nullable: true })
  items!: Item[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Metadata (2.12); keys with `_` are the system's." })
  meta!: JsonObject | null

  @Field(() => [ID], { description: 'Ids of users who like the message, at most 100 (section 8).' })
  likes!: string[]

  @Field(() => [CommentObject], { description: 'Comments by agents, at most 10 (section 8).' })
  comments!: CommentObject[]

  /** Resolved by the type of the message. */
  results?: (FormResult | ReportedResult)[] | null

  @Field(() => Int, { description: 'Incremented with each copy made by a merge.' })
  version!: number

  @Field(() => DateTime, { nullable: true, description: 'Time of the last edit of its text, actions or items.' })
  editedAt?: Date | null

  @Field(() => Boolean, { nullable: true, description: 'True if a bot wrote it, also as an agent: screens say so.' })
  isAutomated?: boolean | null

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of automations that answered each other up to it; the fifth is refused. Null if it answers no event.',
  })
  depth?: number | null

  @Field(() => ProvenanceObject, {
    nullable: true,
    description: 'Model, tools and sources, as its bot names them; null if it names none.',
  })
  provenance?: Provenance | null

  @Field(() => String, {
    nullable: true,
    description:
      "A bot's words that it is one (`User.disclosure`), before the text of its first message to the consumer in a case, on every touchpoint.",
  })
  disclosure?: string | null

  @Field(() => StreamEndingEnum, {
    nullable: true,
    description: 'The ending that cut it off while it was being written; null if it is whole.',
  })
  ending?: StreamEnding | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the consumer wrote it before seeing the answer above it; null if the page did not tell (`seen`), and for guests.',
  })
  crossedAnswer?: boolean | null

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime)
  updatedAt!: Date
}
