import { defineJob } from '../../platform/jobs/job-type.js'

/** A contact's name changed. Handled by `conversations/`, which updates the queues and inboxes that show it. */
export const CONTACT_RENAMED = defineJob<{ contact: string }>('contact.renamed', { contact: 'string' })

/**
 * An email or telephone number given for one contact belongs to another one of the organization, or a provider names
 * addresses of both for one sender: the two may be one person. Handled by `conversations/`, which suggests merging their conversations (4.8, 6.5).
 */
export const CONTACT_MATCHED = defineJob<{ contact: string; other: string }>('contact.matched', {
  contact: 'string',
  other: 'string',
})

export interface IdentifierGiven {
  contact: string
  said: { email?: string; telephone?: string }
  /** The contacts that have one of the given identifiers. */
  others: string[]
}

/** A consumer gave an identifier, unverified. Handled by `conversations/`, which notifies the agents and suggests merging. */
export const IDENTIFIER_GIVEN = defineJob<IdentifierGiven>('contact.said', {
  contact: 'string',
  said: 'object',
  others: 'array',
})

/** A note of a contact was deleted. Handled by `privacy/`, which erases what webhooks keep of it. */
export const CONTACT_NOTE_DELETED = defineJob<{ deleted: string; isAgain?: boolean }>('contactNote.deleted', {
  deleted: 'string',
})
