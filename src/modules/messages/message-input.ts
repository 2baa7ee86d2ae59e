import { Extensions, Field, ID, InputType, Int } from 'type-graphql'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { pathOf } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { parseMessage, type NewMessage } from './message-content.js'
import { ActionTypeEnum, ContentTypeEnum, MessageRoleEnum, MessageTypeEnum, type MessageRole } from './message-enums.js'
import { parseProvenance, type Provenance } from './provenance.js'
import { TouchpointEnum } from '../touchpoint-enum.js'

@InputType({ description: 'A button; the allowed fields depend on its type (2.10).' })
export class ActionInput {
  @Field(() => ActionTypeEnum) type!: string
  @Field(() => String, { nullable: true, description: 'Label of the button; defaults to the payload for a reply.' })
  text?: string
  @Field(() => String, { nullable: true, description: 'Address; may contain `{authuser}` and `{authtoken}` (4.7).' })
  uri?: string
  @Field(() => String, { nullable: true }) payload?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true }) fallback?: string
  @Field(() => String, { nullable: true }) size?: string
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject
}

@InputType({ description: 'A list element; needs a title, a description, a mediaUrl or actions (2.10).' })
export class ItemInput {
  @Field(() => String, { nullable: true }) title?: string
  @Field(() => String, { nullable: true }) description?: string
  @Field(() => String, { nullable: true }) size?: string
  @Field(() => String, { nullable: true }) mediaUrl?: string
  @Field(() => String, { nullable: true }) mediaType?: string
  @Field(() => String, { nullable: true }) iconUrl?: string
  @Field(() => [ActionInput], { nullable: true }) actions?: ActionInput[]
}

@InputType({ description: 'Results of a message of type `TAG`, `SEARCH` or `REPORT`.' })
export class ReportedResultInput {
  @Field(() => String, { description: 'Name of what is reported.' }) name!: string
  @Field(() => JsonObjectScalar, { description: 'Values that were found.' }) values!: JsonObject
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Additional keys as given; in `/v2` they appear next to the known ones.',
  })
  custom?: JsonObject | null
}

@InputType({ description: 'A template in place of a text: see `templates`.' })
export class MessageTemplateInput {
  @Field(() => ID, { description: 'The template; one of a service of the conversation or above it.' })
  id!: string
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'A text of one line for each of its `variables`, by name, at most 1,024 characters.',
  })
  values?: JsonObject | null
  @Field(() => String, { nullable: true, description: 'Address of the file, for a template whose header shows one.' })
  header?: string | null
}

@InputType({ description: 'Recipients and subject of a message that is sent as a mail; 50 recipients at most.' })
export class MessageMailInput {
  @Field(() => [String], { nullable: true, description: 'Recipients beside the contact, who is always the first.' })
  to?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Recipients of copies.' })
  cc?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Recipients of copies whom the others do not see.' })
  bcc?: string[] | null
  @Field(() => String, {
    nullable: true,
    description: 'One line of at most 250 characters; default: that of the mail answered.',
  })
  subject?: string | null
  @Field(() => String, { nullable: true, description: 'Address for answers; default: that of the service.' })
  replyTo?: string | null
}

@InputType({ description: 'A text to which a message refers.' })
export class MessageSourceInput {
  @Field(() => String, { description: 'Title, at most 300 characters.' }) title!: string
  @Field(() => String, { nullable: true, description: 'An http or https address.' }) url?: string | null
}

@InputType({
  description: 'Model, tools and sources of a message: at most 8,192 bytes as JSON, and at least one of the three.',
})
export class MessageProvenanceInput {
  @Field(() => String, { nullable: true, description: 'Name of the model, at most 200 characters.' })
  model?: string | null
  @Field(() => [String], { nullable: true, description: 'Names of the tools that were used, at most 50.' })
  tools?: string[] | null
  @Field(() => [MessageSourceInput], {
    nullable: true,
    description: 'Texts to which the message refers, at most 20. Consumers see them.',
  })
  sources?: MessageSourceInput[] | null
}

@InputType({ description: 'A message to send (2.9). A command is a message too (4.8).' })
export class MessageInput {
  @Extensions({ isGraphqlOnly: true })
  @Field(() => ID, {
    nullable: true,
    description:
      'A UUIDv7 chosen by the client. Repeats with the same id return the first message, however late: ' +
      'an idempotency key without a time limit, by which a client also recognizes the event of its own message.',
  })
  id?: string
  @Extensions({ restDefault: 'CHAT', restDescription: 'Defaults to `chat`.' })
  @Field(() => MessageTypeEnum, {
    nullable: true,
    description: 'Defaults to `CHAT`; a text that is a command (4.8) is refused without a type.',
  })
  type?: string
  @Extensions({
    restDefault: 'BOT',
    restDescription: 'Defaults to `bot`, whoever calls, which the consumer never sees (2.9).',
  })
  @Field(() => MessageRoleEnum, {
    nullable: true,
    description:
      "Defaults to the caller's: chat, card and postback messages of agents and administrators are `AGENT`, to the " +
      'consumer; those of bots, and all other types, are `BOT`, for the team. A guest is always `CONTACT`.',
  })
  role?: string
  @Field(() => Boolean, { nullable: true, description: 'Defaults to false.' }) isBackchannel?: boolean
  @Field(() => ID, { nullable: true, description: 'The user on whose behalf to send; defaults to the caller.' })
  user?: string
  @Field(() => ContentTypeEnum, { nullable: true, description: 'Defaults to `TEXT_PLAIN`.' }) contentType?: string
  @Field(() => String, { nullable: true }) text?: string
  @Field(() => ID, { nullable: true }) service?: string
  @Field(() => TouchpointEnum, { nullable: true }) touchpoint?: string
  @Field(() => [ActionInput], { nullable: true }) actions?: ActionInput[]
  @Field(() => [ItemInput], { nullable: true, description: 'List elements of chat and card messages.' })
  items?: ItemInput[]
  @Field(() => [ReportedResultInput], { nullable: true, description: 'Results that a tag, search or report found.' })
  results?: ReportedResultInput[]
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject
  @Field(() => Int, {
    nullable: true,
    description: 'Delay in milliseconds before the message is processed (4.7, rule 5).',
  })
  delay?: number
  @Field(() => String, {
    nullable: true,
    description:
      '`Conversation.mark` as the author saw it. If others have written or done something since, the message is held: an error with ' +
      'the reason `MOVED_ON` names the news and the new mark, and nothing is stored. Without it nothing is held.',
  })
  mark?: string
  @Field(() => ID, {
    nullable: true,
    description:
      "Only from guests: the last message that the page showed, for `crossedAnswer`. A guest's message is never held.",
  })
  seen?: string
  @Field(() => MessageTemplateInput, {
    nullable: true,
    description:
      'A template of a service, which makes the text of a message to the consumer; it is delivered by that service, also when the ' +
      'window for answers is closed.',
  })
  template?: MessageTemplateInput
  @Field(() => MessageMailInput, {
    nullable: true,
    description:
      'Recipients and subject of a message to the consumer, which is then sent as a mail and by no other touchpoint.',
  })
  mail?: MessageMailInput
  @Field(() => Int, {
    nullable: true,
    description:
      'For automations: `depth` of the message whose event it answers, 0 if that has none. Its own is one more, and 5 is refused (`TOO_DEEP`).',
  })
  depth?: number
  @Field(() => MessageProvenanceInput, {
    nullable: true,
    description:
      'Only from bots: what the message was made of. Agents see all of it, visitors of the web its sources; on other touchpoints nothing is added to the text.',
  })
  provenance?: MessageProvenanceInput
  @Field(() => ID, {
    nullable: true,
    description:
      'Only from people: the pending proposal of a bot from which the message was made, as it was or changed. The server compares the texts, ' +
      'and ends the proposal with the message. Refused as `PROPOSAL_ENDED` once it was decided or has ended: send the message without it.',
  })
  proposal?: string
}

/** Validates a message input. @param role that of a message that names none @throws BadUserInput naming the field below `field` */
export function newMessageOf(input: MessageInput, field: string, role: MessageRole = 'bot'): NewMessage {
  // A copy of an input is no instance of its class.
  const { id, ...rest } = plain(input, true) as Record<string, unknown>
  return { ...parseMessage({ ...rest, role: rest.role ?? role }, field), id: parseOwnId(id, pathOf(field, 'id')) }
}

/** Validates a provenance input. @throws BadUserInput naming the field below `field` */
export function provenanceOf(input: MessageProvenanceInput | null | undefined, field: string): Provenance | null {
  return parseProvenance(plain(input), field)
}

function parseOwnId(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null
  if (isId(value) && value[14] === '7') return value.toLowerCase()
  throw new BadUserInput(field, `${field} must be a UUIDv7, not ${quoteValue(value)}`)
}

const INPUTS = [
  MessageInput,
  ActionInput,
  ItemInput,
  ReportedResultInput,
  MessageTemplateInput,
  MessageMailInput,
  MessageProvenanceInput,
  MessageSourceInput,
]

/** Converts instances of type-graphql's input classes to plain objects, which the parsers require. */
function plain(value: unknown, isInput = INPUTS.some((input) => value instanceof input)): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each))
  if (!isInput) return value
  return Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, plain(member)]))
}
