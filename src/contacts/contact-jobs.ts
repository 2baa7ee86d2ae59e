import { defineJob } from '../jobs/job-type.js'

/** A contact has another name. Handled by `conversations/`, which tells the queues and inboxes that show it. */
export const CONTACT_RENAMED = defineJob<{ contact: string }>('contact.renamed', { contact: 'string' })

/**
 * A contact was to get an email or telephone that another contact of its organization has, so that the two may be one
 * person. Handled by `conversations/`, which suggests to merge theirs (4.8, 6.5).
 */
export const CONTACT_MATCHED = defineJob<{ contact: string; other: string }>('contact.matched', {
  contact: 'string',
  other: 'string',
})

export interface ContactSaid {
  contact: string
  said: { email?: string; telephone?: string }
  /** The contacts that have one of them. */
  others: string[]
}

/** A consumer said who it is. Handled by `conversations/`, which tells the agents, and suggests to merge. */
export const CONTACT_SAID = defineJob<ContactSaid>('contact.said', {
  contact: 'string',
  said: 'object',
  others: 'array',
})

/** A contact is gone. Handled by `attachments/`, which removes what the consumer uploaded. */
export const CONTACT_DELETED = defineJob<{ contact: string }>('contact.deleted', { contact: 'string' })
