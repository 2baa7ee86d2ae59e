import { createHash } from 'node:crypto'
import { Field, Float, ID, ObjectType } from 'type-graphql'
import { BotAction } from '../../bots/bot-grant.js'
import type { NewMessage } from '../../messages/message-content.js'
import { columnName, type SqlType } from '../../../platform/db/columns.js'
import { reading } from '../../../platform/db/sql.js'
import type { JsonObject } from '../../../platform/json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import type { Sender } from '../messages/members.js'
import { ProposalOutcome, ProposalStatus } from '../state/pending-proposal.js'
import { ProposalKind } from '../state/proposal-kind.js'

/** Content of a suggestion that is no message. */
export interface Suggested {
  category?: string
  fields?: JsonObject
  merge?: string
  article?: string
}

/** A proposal as its row has it. */
export interface ProposalRow {
  id: string
  organizationId: string
  conversationId: string
  botId: string
  kind: ProposalKind
  action: BotAction
  /** Empty for an article, and once it was decided or has ended; so are `suggestion` and `sender`. */
  newMessage: Partial<NewMessage>
  suggestion: Suggested
  sender: Sender
  hash: string
  status: ProposalStatus
  createdAt: Date
  expiresAt: Date
  decidedAt: Date | null
  decidedById: string | null
  messageId: string | null
  outcome: ProposalOutcome | null
  changedShare: number | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Something that a bot suggests in a conversation. A person takes it, as it was or changed, and is the author; or approves it, and the bot does exactly this. ' +
    'It ends once others have written or done something that the bot had not seen.',
})
export class Proposal {
  @Field(() => ID) id!: string
  @Field(() => ID) conversationId!: string
  @Field(() => ID, { description: 'The bot, which is the author of what is approved.' }) botId!: string
  @Field(() => ProposalKind, { description: 'Kind of the proposal.' }) kind!: ProposalKind
  @Field(() => BotAction, { description: 'The kind of act.' }) action!: BotAction
  @Field(() => JsonObjectScalar, {
    description:
      'The whole message or command that would be sent, in the terms of `/v2`. What is absent has its default; all of it once it was decided or has ended.',
  })
  input!: JsonObject
  @Field(() => String, {
    nullable: true,
    description: 'Text of the message or the command, until it was decided or has ended.',
  })
  text!: string | null
  @Field(() => String, { description: 'Names the proposal with all its content: whoever approves it gives it back.' })
  hash!: string
  @Field(() => String, { nullable: true, description: 'Name of a `CATEGORY`, until it was decided or has ended.' })
  category!: string | null
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'Keys to merge into the metadata, of `FIELDS` until they were decided or have ended; null removes a key.',
  })
  fields!: JsonObject | null
  @Field(() => ID, {
    nullable: true,
    description: 'Conversation to merge into this one, of a `MERGE` until it was decided or has ended.',
  })
  mergeId!: string | null
  @Field(() => ID, { nullable: true, description: 'Article of an `ARTICLE`, until it was decided or has ended.' })
  articleId!: string | null
  @Field(() => ProposalStatus, { description: 'State that it is in.' }) status!: ProposalStatus
  @Field(() => DateTime, { description: 'Time at which the bot proposed it.' }) createdAt!: Date
  @Field(() => DateTime, { description: 'Time at which it ends if nobody decides.' }) expiresAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which it was decided or ended.' })
  decidedAt!: Date | null
  @Field(() => ID, { nullable: true, description: 'The person who took, approved or rejected it.' })
  decidedById!: string | null
  @Field(() => ID, { nullable: true, description: 'The message that it became.' }) messageId!: string | null
  @Field(() => ProposalOutcome, { nullable: true, description: 'Outcome for reports; null while it is pending.' })
  outcome!: ProposalOutcome | null
  @Field(() => Float, {
    nullable: true,
    description:
      'Share of the words of both texts that only one of them has, from 0 to 1, of a proposal that a person took. Null for an article.',
  })
  changedShare!: number | null
}

/** Fields of a message that the approver need not see: they say how it was sent. */
const OF_SENDING = new Set(['id', 'fileId', 'mark', 'seen', 'delayMs', 'depth', 'user', 'proposal'])

export function proposalOf(row: ProposalRow): Proposal {
  const { newMessage, suggestion, sender: _sender, organizationId: _organization, ...shown } = row
  const { category = null, fields = null, merge: mergeId = null, article: articleId = null } = suggestion
  const given = Object.entries(newMessage).filter(([name, value]) => !OF_SENDING.has(name) && hasContent(value))
  const input = Object.fromEntries(given) as JsonObject
  return { ...shown, text: newMessage.text ?? null, input, category, fields, mergeId, articleId }
}

function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Returns a hash that differs for whatever would be done otherwise, elsewhere, or to another state. */
export function hashOf(conversation: string, ...proposed: unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([conversation, ...proposed]))
    .digest('base64url')
}

const ROW = {
  id: 'uuid',
  organizationId: 'uuid',
  conversationId: 'uuid',
  botId: 'uuid',
  kind: 'text',
  action: 'text',
  newMessage: 'jsonb',
  suggestion: 'jsonb',
  sender: 'jsonb',
  hash: 'text',
  status: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  decidedAt: 'timestamptz',
  decidedById: 'uuid',
  messageId: 'uuid',
  outcome: 'text',
  changedShare: 'real',
} satisfies Record<keyof ProposalRow, SqlType | 'real'>
const names = Object.keys(ROW)

export const PROPOSAL_COLUMNS = names.map((name) => `p.${columnName(name)} as "${name}"`).join(', ')

export const INSERT_PROPOSAL = `insert into proposal (${names.map(columnName).join(', ')})
  select ${names.map((name) => `x."${name}"`).join(', ')}
  from jsonb_to_record($1::jsonb) as x(${Object.entries(ROW)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')})`

export const PROPOSALS_BY_ID = reading(`select ${PROPOSAL_COLUMNS} from proposal p where p.id = any($1::uuid[])`)
export const PENDING_PROPOSALS = reading(`select ${PROPOSAL_COLUMNS} from proposal p
  where p.conversation_id = any($1::uuid[]) and p.status = 'pending' order by p.id`)
