/**
 * A contact has another name; payload `{contact}`. Handled by `conversations/`, which tells the queues and inboxes that
 * show it.
 */
export const CONTACT_RENAMED = 'contact.renamed'
