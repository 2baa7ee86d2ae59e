import type { NewJob } from '../../jobs/job.js'

/*
 * Jobs that erase what a deletion leaves in the event log, in webhooks and in kept answers. Handled by `privacy/`.
 */

/** A conversation was deleted; payload `{deleted}`. */
export const CONVERSATION_DELETED = 'conversation.deleted'
/** A message was deleted; payload {@link DeletedMessage}. */
export const MESSAGE_DELETED = 'message.deleted'

/** Ids only, so that the job itself contains nothing that was said. */
export type DeletedMessage = {
  deleted: string
  /** Its conversation. */
  of: string
}

/** Work in progress at the time of the deletion, such as a webhook attempt, has finished after this time. */
export const SECOND_LOOK_MS = 120_000

type Deletion =
  | { kind: typeof CONVERSATION_DELETED; payload: { deleted: string } }
  | { kind: typeof MESSAGE_DELETED; payload: DeletedMessage }

/**
 * Creates the job that erases what a deletion leaves. Those of one organization run one at a time: they read all recent
 * answers, and a tenant may delete thousands of messages.
 */
export const eraseLater = (organization: string, deletion: Deletion): NewJob => ({
  ...deletion,
  key: `erase:${organization}`,
})
