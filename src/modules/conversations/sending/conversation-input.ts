import { Field, ID, InputType } from 'type-graphql'
import { ContactProfile } from '../../contacts/contact-profile.js'
import type { JsonObject } from '../../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { IfVersion } from '../../../platform/lists/record-version.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import { MessageInput } from '../../messages/message-input.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { ConversationTypeEnum } from '../state/conversation-enums.js'
import type { ConversationType } from '../state/conversation-enums.js'

/** As many as one command assigns. */
export const PARTICIPANTS_MAX = 100

@InputType({ description: 'The consumer: an existing contact by id, or a new one by profile (4.7, rule 1).' })
export class ConversationContactInput {
  @Field(() => ID, { nullable: true })
  id?: string | null

  @Field(() => ContactProfile, {
    nullable: true,
    description: 'Profile of a new contact; an `email` or `telephone` is required.',
  })
  profile?: ContactProfile | null

  @Field(() => JsonObjectScalar, { nullable: true })
  meta?: JsonObject | null
}

@InputType({ description: 'A new conversation, with messages that are processed in order (4.7).' })
export class CreateConversationInput {
  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null

  @Field(() => ConversationTypeEnum, {
    nullable: true,
    description:
      'Defaults to `CONTACT`; with a name or messages, but neither contact nor touchpoint, to `BOT` for a bot and `AGENT` for ' +
      'others.',
  })
  type?: ConversationType | null

  @Field(() => ConversationContactInput, {
    nullable: true,
    description: 'Required for the type `CONTACT`; not allowed otherwise.',
  })
  contact?: ConversationContactInput | null

  @Field(() => TouchpointEnum, {
    nullable: true,
    description: 'Required here or in the first message that is delivered (4.7, rule 3).',
  })
  touchpoint?: Touchpoint | null

  @Field(() => [MessageInput], { nullable: true })
  messages?: MessageInput[] | null

  @Field(() => [ID], {
    nullable: true,
    description: `Participants of a team conversation, at most ${PARTICIPANTS_MAX}.`,
  })
  participants?: string[] | null

  @Field(() => String, { nullable: true, description: 'Defaults to a random fantasy name.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: "Category, one of the organization's." })
  category?: string | null

  @Field(() => String, { nullable: true, description: 'Two lower-case letters.' })
  language?: string | null

  @Field(() => JsonObjectScalar, { nullable: true })
  meta?: JsonObject | null
}

@InputType({
  description:
    'Changes of a conversation. Only the given keys change; `meta` is replaced completely (section 1, PATCH).',
})
export class UpdateConversationInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true })
  name?: string

  @Field(() => String, { nullable: true, description: 'Category by name; null clears.' })
  category?: string | null

  @Field(() => String, { nullable: true, description: 'Language, as two lower-case letters; null clears.' })
  language?: string | null

  @Field(() => TouchpointEnum, { nullable: true })
  touchpoint?: Touchpoint

  @Field(() => DateTime, {
    nullable: true,
    description: 'Snoozes it until then for the caller, as `snooze` does; null ends that.',
  })
  snoozedUntil?: Date | null

  @Field(() => JsonObjectScalar, { nullable: true })
  meta?: JsonObject | null
}
