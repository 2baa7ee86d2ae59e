/** The place of a table's data of a contact in an export, or the reason for which it is not there. */
export type ExportedIn = { in: string } | { not: string }

const OF_STAFF = 'What staff and bots do; what they said to the contact is in its conversations.'
const FOR_PROGRAMS = 'Copies for programs, of what is in the other files; they are kept for days.'
const UNSAID = 'What is being written and was not said yet.'

/** Each table with data of consumers, see `PERSONAL_DATA`; the manifest of an export repeats what it leaves out, and why. */
export const EXPORTED: Readonly<Record<string, ExportedIn>> = {
  contact: { in: 'contact.json' },
  contact_handle: { in: 'contact.json' },
  contact_presence: { in: 'contact.json' },
  blocked_address: { in: 'contact.json' },
  contact_change: { in: 'history.json' },
  contact_merge: { in: 'history.json' },
  contact_note: { in: 'notes.json' },
  conversation: { in: 'conversations' },
  deleted_conversation: { in: 'conversations' },
  message: { in: 'conversations' },
  attachment: { in: 'files' },
  delivery: { in: 'deliveries.json' },
  opt_out: { in: 'opt-outs.json' },
  rating: { in: 'ratings.json' },
  rating_comment: { in: 'ratings.json' },
  contact_export: { not: 'Exports themselves.' },
  held_message: {
    not: 'Messages as they were before they were edited or deleted, which a legal hold keeps as evidence.',
  },
  held_part: { not: OF_STAFF },
  touchpoint_thread: { not: 'Ids of the conversations in which messages of a touchpoint are collected.' },
  delivery_part: { not: 'Ids that providers give to parts of a message.' },
  inbound_message: { not: 'Ids by which a message is known that a provider sends again.' },
  conversation_draft: { not: UNSAID },
  message_stream: { not: UNSAID },
  message_stream_part: { not: UNSAID },
  proposal: { not: UNSAID },
  participant: { not: OF_STAFF },
  offer: { not: OF_STAFF },
  conversation_viewer: { not: OF_STAFF },
  clock: { not: 'When the organization should answer, by its own rules.' },
  routing_decision: { not: 'How the rules of the organization found who answers, from what is in the other files.' },
  merge_suggestion: { not: 'Pairs of conversations that may be of one person.' },
  event: { not: FOR_PROGRAMS },
  webhook_event: { not: FOR_PROGRAMS },
  webhook_delivery: { not: FOR_PROGRAMS },
  webhook_attempt: { not: FOR_PROGRAMS },
  idempotency_key: { not: FOR_PROGRAMS },
  job: { not: FOR_PROGRAMS },
  job_partition: { not: FOR_PROGRAMS },
}
