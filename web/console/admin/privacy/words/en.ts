/** Texts of the administration's page about privacy in English. */
interface Counts {
  conversations: number
  messages: number
  attachments: number
  notes: number
}

export const en = {
  lead: 'Contacts that were erased, or are being erased. Nothing of them is shown: what stays is ids and numbers.',
  erasures: 'Erasures',
  contact: 'Contact',
  state: 'State',
  reason: 'Reason',
  erased: 'Erased',
  asked: 'Demanded',
  done: 'Done',
  history: 'What was done with it',
  none: ['Nobody was erased yet', 'A contact is erased from its page, also while its conversations are open.'],
  list: 'A restored backup has the erased again. Keep the list of erasures elsewhere, and give it to the restore: “Backup, restore, move” in the documentation tells how.',
  failing: (count: number) =>
    count === 1
      ? 'An erasure fails. It is tried again: have somebody look at the log.'
      : `${count} erasures fail. They are tried again: have somebody look at the log.`,
  counts: ({ conversations, messages, attachments, notes }: Counts) =>
    `Conversations: ${conversations}, messages: ${messages}, files: ${attachments}, notes: ${notes}`,
  erase: 'Erase',
  eraseTitle: 'Erase this contact?',
  eraseHelp:
    'The contact goes with all its conversations, also those that are open, with its files and notes. Nobody can bring it back. What the person writes from now on is a new contact’s.',
  eraseReason: 'Reason',
  export: 'Export',
  exportHelp:
    'For the person who asks what is kept: a ZIP with pages, data and files. The link is yours, for 7 days; each download is in the audit log.',
  withNotes: 'With notes and back-channel messages',
  exportNow: 'Export contact',
  exports: 'Exports',
  exportStates: { PENDING: 'Being written', READY: 'Ready', FAILED: 'Failed', EXPIRED: 'Gone' },
  notesToo: 'with notes',
  until: (time: string) => `until ${time}`,
  download: 'Download',
  states: { REQUESTED: 'After a restore', WITHDRAWING: 'Begun', ERASING: 'Under way', DONE: 'Done' },
  reasons: {
    REQUESTED: 'The person asks for it',
    NOT_NEEDED: 'Not needed any more',
    UNLAWFUL: 'Should never have been kept',
    OBLIGATION: 'The law demands it',
    OTHER: 'Another, or deleted',
  },
}

export type PrivacyWords = typeof en
