import { Field, ID, InputType } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { isWithin, pathOf } from '../../../platform/db/tenancy.js'
import { BadUserInput, Forbidden, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import { isPlainObject, type JsonObject } from '../../../platform/json.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { sharedArticles } from '../../articles/article.js'
import type { Mark } from '../../messages/mark.js'
import { MESSAGE_TEXT_BYTES_MAX, type NewMessage } from '../../messages/message-content.js'
import { MessageInput } from '../../messages/message-input.js'
import { argumentsOf, commandMessage, commandOf } from '../commands/command-of-message.js'
import { importOrigin, requireMergeable } from '../commands/import.js'
import { mergeMeta, set } from '../commands/set.js'
import { readCategory } from '../messages/read-category.js'
import { isReply } from '../sending/action-of.js'
import { authoriseMessages } from '../sending/send-message.js'
import { parseSentMessage } from '../sending/sent-message.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ProposalKind } from '../state/proposal-kind.js'
import type { WritingChange } from '../state/writing-change.js'
import type { Suggested } from './proposal.js'

@InputType({
  description:
    'A suggestion of a bot: exactly one of these. People take it as it is or changed, and are its authors; what has a message or a command may also be approved, and ' +
    'then the bot does it.',
})
export class SuggestionInput {
  @Field(() => MessageInput, {
    nullable: true,
    description: 'An answer to the consumer: its role is `AGENT`. As `message` of `propose`, but for `mark`.',
  })
  reply?: MessageInput

  @Field(() => String, { nullable: true, description: "One of the organization's categories, by name." })
  category?: string

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "Keys to merge into the conversation's metadata; null removes a key.",
  })
  fields?: JsonObject

  @Field(() => ID, {
    nullable: true,
    description: 'Another conversation of the same organization, to be merged into this one.',
  })
  merge?: string

  @Field(() => ID, {
    nullable: true,
    description: "A published article that the agents of the conversation's organization see.",
  })
  article?: string

  @Field(() => String, { nullable: true, description: 'A summary for the team.' })
  summary?: string
}

/** A parsed proposal, with the check that it must pass under the conversation's lock. */
export interface Given {
  kind: ProposalKind
  /** Null for an article, of which the agent makes the message. */
  newMessage: NewMessage | null
  suggested: Suggested
  /** @throws Unprocessable, NotFound naming the field */
  check(change: WritingChange): Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

/**
 * Reads a message or a command that the bot would send. @param mark if the message has none of its own
 * @throws BadUserInput for what could not be approved as it stands
 */
export function givenMessage(
  ctx: Context,
  input: MessageInput,
  mark: Mark | null,
): Given & { newMessage: NewMessage & { mark: Mark } } {
  if (!mark && !input.mark)
    throw new BadUserInput(
      'message.mark',
      'message.mark is required: the state for which it is proposed',
      'MISSING_VALUE',
    )
  const parsed = parseProposed(ctx, input, 'message')
  const newMessage = { ...parsed, mark: mark ?? parsed.mark! }
  return { kind: isReply(newMessage) ? 'reply' : 'act', newMessage, suggested: {}, check: nothing }
}

/** Reads a suggestion. @throws BadUserInput, naming the field below `suggestion` */
export function givenSuggestion(ctx: Context, input: SuggestionInput): Given {
  const { reply, category, fields, merge, article, summary } = input
  const named = Object.entries(input).filter(([, value]) => !isAbsent(value))
  if (named.length !== 1)
    throw new BadUserInput(
      'suggestion',
      `suggestion must have exactly one of its fields, not ${named.map(([name]) => name).join(' and ') || 'none'}`,
    )
  const at = (field: keyof SuggestionInput): string => `suggestion.${field}`
  if (!isAbsent(reply)) return givenReply(ctx, reply)
  if (!isAbsent(category)) {
    const newMessage = commandMessage(set, { attribute: 'category', value: category }, { at: () => at('category') })
    if (category.trim() === '') throw blank(at('category'))
    const named = argumentsOf(newMessage, set)
    if (named?.attribute === 'category' && typeof named.value === 'number')
      throw new BadUserInput(
        at('category'),
        `${at('category')} must not be a number: \`/set @category\` takes one for an index`,
      )
    const check = async (change: WritingChange): Promise<void> =>
      void (await readCategory(change, category.trim(), at('category')))
    return { kind: 'category', newMessage, suggested: { category: category.trim() }, check }
  }
  if (!isAbsent(fields)) {
    if (!isPlainObject(fields)) throw new BadUserInput(at('fields'), `${at('fields')} must be an object`)
    const newMessage = commandMessage(set, { attribute: 'meta', meta: fields }, { at: () => at('fields') })
    // On a copy: they must fit what the conversation has.
    const check = (change: WritingChange): Promise<void> => {
      const { meta } = change.conversation
      mergeMeta(change, fields, at('fields'))
      change.conversation.meta = meta
      return nothing()
    }
    return { kind: 'fields', newMessage, suggested: { fields }, check }
  }
  if (!isAbsent(merge)) {
    const newMessage = commandMessage(importOrigin, { origin: merge }, { at: () => at('merge') })
    const id = merge.toLowerCase()
    const check = (change: WritingChange): Promise<void> => checkMerge(ctx, change, id, at('merge'))
    return { kind: 'merge', newMessage, suggested: { merge: id }, check }
  }
  if (!isAbsent(article)) {
    const check = (change: WritingChange): Promise<void> => checkArticle(change, article, at('article'))
    return { kind: 'article', newMessage: null, suggested: { article: article.toLowerCase() }, check }
  }
  if (!summary?.trim()) throw blank(at('summary'))
  const newMessage = noteOf(ctx, summary, at('summary'))
  return { kind: 'summary', newMessage, suggested: {}, check: nothing }
}

function givenReply(ctx: Context, reply: MessageInput): Given {
  const field = 'suggestion.reply'
  if (reply.mark) throw new BadUserInput(`${field}.mark`, `${field}.mark must be absent: name \`mark\` beside it`)
  const newMessage = parseProposed(ctx, { ...reply, role: reply.role ?? 'agent' }, field)
  if (!isReply(newMessage))
    throw new BadUserInput(`${field}.role`, `${field} must be an answer to the consumer, not a note or a command`)
  return { kind: 'reply', newMessage, suggested: {}, check: nothing }
}

/** Parsed here, so that a refusal names the field as it was given. */
function noteOf(ctx: Context, text: string, field: string): NewMessage {
  const note = parseText(text, field, { maxBytes: MESSAGE_TEXT_BYTES_MAX })
  const input: MessageInput = { type: 'chat', role: 'bot', isBackchannel: true, text: note }
  return parseProposed(ctx, input, field)
}

const blank = (field: string): BadUserInput => new BadUserInput(field, `${field} must not be blank`, 'MISSING_VALUE')

/** Parses a message that can be proposed. @throws BadUserInput for what could not be approved as it stands; Forbidden */
function parseProposed(ctx: Context, input: MessageInput, field: string): NewMessage {
  const refuse = (name: string, rule: string): never => {
    throw new BadUserInput(`${field}.${name}`, `${field}.${name} ${rule}`)
  }
  for (const name of ['id', 'user', 'delay', 'seen', 'mail'] as const)
    if (input[name]) refuse(name, 'must be absent: what is approved is done at once, by the bot')
  if (input.role === 'contact') refuse('role', 'must not be contact: nobody approves what a consumer says')
  const newMessage = parseSentMessage(ctx, input, field)
  if (newMessage.type === 'command') {
    const { command, given } = commandOf(newMessage)
    if (command.isExclusive || (command.alsoLocks?.(given) ?? []).length > 0)
      refuse('text', `names /${command.name}, which cannot be proposed`)
  }
  const [own] = authoriseMessages(ctx, [newMessage])
  return own!.newMessages[0]!
}

/** People do it themselves, or leave a note. @throws Forbidden */
export function requireBot(ctx: Context): void {
  if (ctx.guestCaller || !ctx.userCaller.isBot)
    throw new Forbidden('only bots propose: people do it themselves, or leave a note')
}

/** @throws NotFound for one that the bot does not see; Unprocessable `IMPORT_IMPOSSIBLE` */
async function checkMerge(
  ctx: Context,
  { sql, conversation }: WritingChange,
  id: string,
  field: string,
): Promise<void> {
  const [origin] = await sql.query<MergedRow>(MERGED, [id])
  if (!origin || !isWithin(ctx.tenant, origin)) throw recordNotFound('Conversation', id, field)
  if (origin.id === conversation.id)
    throw new Unprocessable('a conversation cannot be imported into itself', { reason: 'IMPORT_IMPOSSIBLE', field })
  requireMergeable(conversation, origin, field)
}

type MergedRow = Pick<ConversationState, 'id' | 'status' | 'organizationId' | 'type' | 'org1' | 'org2' | 'org3'>
const MERGED = reading(
  `select id, status, organization_id as "organizationId", type, org1, org2, org3 from conversation where id = $1`,
)

/** Checks that it is published, and seen by those who would send it. @throws NotFound; Unprocessable */
async function checkArticle({ sql, conversation }: WritingChange, id: string, field: string): Promise<void> {
  const values: unknown[] = [isId(id) ? id : null]
  const visible = sharedArticles.visible({ path: pathOf(conversation) }, 't', values)
  const [article] = await sql.query<{ status: string }>(
    `select t.status from article t where t.id = $1::uuid and ${visible}`,
    values,
  )
  if (!article) throw recordNotFound('Article', id, field)
  if (article.status !== 'published')
    throw new Unprocessable(`${field}: article ${quoteValue(id)} is not published`, { reason: 'NOT_PUBLISHED', field })
}
