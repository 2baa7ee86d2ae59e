import { defineJob } from '../../../platform/jobs/job-type.js'

/*
 * Jobs that erase what a deletion leaves in the event log, in webhooks and in kept answers. Handled by `privacy/`. Those
 * of one conversation run one at a time (`deletionKey`): one that fails holds up no other's.
 */

/** Ids only, so that the job itself contains no content. */
interface Deletion {
  /** Path of the organization: its administrators see that the erasure is not done. */
  path: readonly (string | undefined)[]
  /** The steps that earlier attempts have done. */
  done?: readonly string[]
  /** True if this is the second run, for work that was in progress at the time of the deletion. */
  isAgain?: boolean
}

export interface DeletedMessage extends Deletion {
  deleted: string
  /** Id of the message's conversation. */
  of: string
}

export interface DeletedConversations extends Deletion {
  /** Those that one transaction has deleted. */
  conversations: string[]
  /** Attachments that go with them, unless others need them. Absent: they stay. */
  attachments?: string[]
}

/** Conversations were deleted: what they leave is looked for once for all. */
export const CONVERSATION_DELETED = defineJob<DeletedConversations>('conversation.deleted', {
  conversations: 'array',
  path: 'array',
})
/** A message was deleted. */
export const MESSAGE_DELETED = defineJob<DeletedMessage>('message.deleted', {
  deleted: 'string',
  of: 'string',
  path: 'array',
})

/** A copy was deleted that a merge made: the messages of which it was made, in archived conversations, go too. */
export const COPY_DELETED = defineJob<{ original: string; version: number }>('message.copyDeleted', {
  original: 'string',
  version: 'number',
})

export const deletionKey = (conversation: string): { key: string } => ({ key: `erase:${conversation}` })

/** Delay after which work in progress at the time of the deletion, such as a webhook attempt, has finished. */
export const SECOND_LOOK_MS = 120_000
