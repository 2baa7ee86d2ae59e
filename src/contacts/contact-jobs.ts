/**
 * A contact has another name; payload `{contact}`. Handled by `conversations/`, which tells the queues and inboxes that
 * show it.
 */
export const CONTACT_RENAMED = 'contact.renamed'

/**
 * A contact was to get an email or telephone that another contact of its organization has, so that the two may be one
 * person; payload `{contact, other}`. Handled by `conversations/`, which suggests to merge theirs (4.8, 6.5).
 */
export const CONTACT_MATCHED = 'contact.matched'

/**
 * A consumer said who it is; payload `{contact, said: {email?, telephone?}, others}`, the contacts that have one of them.
 * Handled by `conversations/`, which tells the agents, and suggests to merge.
 */
export const CONTACT_SAID = 'contact.said'

/** A contact is gone; payload `{contact}`. Handled by `attachments/`, which removes what the consumer uploaded. */
export const CONTACT_DELETED = 'contact.deleted'
