import { defineJob } from '../../jobs/job-type.js'

/*
 * Jobs that erase what a deletion leaves in the event log, in webhooks and in kept answers. Handled by `privacy/`. Those
 * of one organization run one at a time (`deletionKey`): they read all recent answers, and a tenant may delete thousands
 * of messages.
 */

/** Ids only, so that the job itself contains nothing that was said. */
interface Deleted {
  deleted: string
  /** The second time, for what was under way when it was deleted. */
  isAgain?: boolean
}

export interface DeletedMessage extends Deleted {
  /** Its conversation. */
  of: string
}

/** A conversation was deleted. */
export const CONVERSATION_DELETED = defineJob<Deleted>('conversation.deleted', { deleted: 'string' })
/** A message was deleted. */
export const MESSAGE_DELETED = defineJob<DeletedMessage>('message.deleted', { deleted: 'string', of: 'string' })

export const deletionKey = (organization: string): { key: string } => ({ key: `erase:${organization}` })

/** Work in progress at the time of the deletion, such as a webhook attempt, has finished after this time. */
export const SECOND_LOOK_MS = 120_000
