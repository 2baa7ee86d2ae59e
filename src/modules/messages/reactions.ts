import { Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { isPlainObject, storableText, type JsonObject } from '../../platform/json.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Message } from './message.js'
import type { MessageRow } from './message-row.js'

@Extensions(PART_OF_RECORD)
@ObjectType({ simpleResolvers: true, description: 'Emoji that the consumer has put on a message.' })
export class MessageReaction {
  @Field(() => String, { description: 'The character that is shown, such as 👍.' }) emoji!: string
  @Field(() => DateTime, { description: 'Time at which it was received.' }) at!: Date
}

/** Characters of an emoji with its modifiers. */
const EMOJI_CHARS_MAX = 50

/** Returns the metadata with the consumer's reaction, of which there is one on a message. @param emoji null takes it back */
export function withReaction(meta: JsonObject | null, emoji: string | null, at: Date): JsonObject | null {
  const { _reactions: _before, ...others } = meta ?? {}
  const shown = emoji && storableText(emoji, EMOJI_CHARS_MAX)
  if (shown) return { ...others, _reactions: [{ emoji: shown, at: at.toISOString() }] }
  return Object.keys(others).length > 0 ? others : null
}

/** Reads the reactions from the metadata, where only the server sets keys that begin with `_`. */
@Resolver(() => Message)
export class MessageReactionsResolver {
  @FieldResolver(() => [MessageReaction], {
    description: "The consumer's reactions, where the provider tells of them.",
  })
  reactions(@Root() { meta }: MessageRow): MessageReaction[] {
    const given = Array.isArray(meta?._reactions) ? meta._reactions : []
    return given.flatMap((each) => {
      if (!isPlainObject(each) || typeof each.emoji !== 'string' || typeof each.at !== 'string') return []
      return { emoji: each.emoji, at: new Date(each.at) }
    })
  }
}
