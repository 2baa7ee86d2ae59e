/** Texts of the administration's page about privacy in English. */
interface Counts {
  conversations: number
  messages: number
  attachments: number
  notes: number
}

interface Held {
  contacts: number
  conversations: number
  users: number
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
  states: {
    REQUESTED: 'After a restore',
    BLOCKED: 'Blocked by a hold',
    WITHDRAWING: 'Begun',
    ERASING: 'Under way',
    DONE: 'Done',
  },
  hold: {
    hold: 'Hold',
    holds: 'Holds',
    keeps: 'Keeps',
    made: 'Made',
    make: 'Make a hold',
    makeTitle: 'Make a hold',
    help: 'What a hold names is neither erased nor deleted until it is released; what agents edit or delete is kept. Choose contacts, or a span of time in which conversations were under way.',
    helpOfContact:
      'Until the hold is released, the contact and its conversations are neither erased nor deleted, and what agents edit or delete in them is kept.',
    none: 'There are no holds. Make one when something must be kept as evidence, whoever asks for its erasure.',
    holding: 'Holds',
    released: 'Released',
    release: 'Release',
    releaseTitle: 'Release this hold?',
    releaseHelp:
      'Erasures that it alone blocks go on at once, and cannot be stopped. What it kept of edited and deleted messages goes. A released hold never holds again.',
    contacts: 'Contacts',
    search: 'Name, email or phone',
    found: 'Found contacts',
    chosen: 'Chosen contacts',
    span: 'Span of time',
    from: 'From',
    to: 'Until',
    counts: ({ contacts, conversations, users }: Held) => [
      ...(contacts > 0 ? [`contacts: ${contacts}`] : []),
      ...(conversations > 0 ? [`conversations: ${conversations}`] : []),
      ...(users > 0 ? [`users: ${users}`] : []),
    ],
  },
  reasons: {
    REQUESTED: 'The person asks for it',
    NOT_NEEDED: 'Not needed any more',
    UNLAWFUL: 'Should never have been kept',
    OBLIGATION: 'The law demands it',
    OTHER: 'Another, or deleted',
  },
}

export type PrivacyWords = typeof en
