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
  kept: {
    title: 'What is kept, where and how long',
    what: 'What',
    where: 'Where',
    howLong: 'How long',
    next: 'Next run',
    last: 'Last run',
    never: 'none yet',
    untilErased: 'Until it is erased: no term is set',
    by: 'Asked for by',
    subjects: {
      CONVERSATIONS: ['Conversations and messages', 'Database'],
      CONTACTS: ['Contacts and notes', 'Database'],
      ATTACHMENTS: ['Files', 'Data folder or object store'],
    } as Record<'CONVERSATIONS' | 'CONTACTS' | 'ATTACHMENTS', [string, string]>,
    others: [
      ['Events and deliveries of webhooks', 'Database', 'A few days, as the operator has set it'],
      ['Answers to repeated requests', 'Database', '24 hours'],
      ['Exports', 'Data folder or object store', '7 days'],
      ['Audit log', 'Database', 'Details as long as the operator has set; entries stay'],
      ['Erasures', 'Database', 'Ids and numbers stay'],
      ['Backups', 'Where the operator keeps them', 'As long as the operator keeps them'],
    ] as [string, string, string][],
    counts: ({ erased, held, failed }: { erased: number; held: number; failed: number }) =>
      `Erased: ${erased}, kept by holds: ${held}, failed: ${failed}`,
    blocked: (count: number) =>
      `${count === 1 ? '1 erasure waits' : `${count} erasures wait`} for the release of holds, and then goes on by itself. Tell the person who asked for it.`,
    downloadList: 'Download the list',
  },
  retention: {
    title: 'Retention',
    what: 'What goes',
    after: 'After',
    afterDays: 'Days after which it goes',
    days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    make: 'Set a term',
    makeTitle: 'Set a term of retention',
    changeTitle: 'Change the term',
    help: 'What is over for so long is erased once a day, for good. It begins in 24 hours at the earliest; until then you can change or end it. What a hold keeps stays, and what is open too.',
    none: 'Nothing is erased by itself. Set a term, so that what is not needed any more does not stay.',
    subjects: { CONVERSATIONS: 'Conversations', ATTACHMENTS: 'Files', CONTACTS: 'Contacts' },
    subjectHelp: {
      CONVERSATIONS:
        'Closed conversations with their messages and files, counted from the last message. Contacts stay.',
      ATTACHMENTS: 'Files of conversations that are over, counted from their last message. The messages stay.',
      CONTACTS: 'Contacts with all that is theirs, counted from the last message or change.',
    },
    begins: (time: string) => `Begins ${time}`,
    holds: 'In effect',
    ended: 'Ended',
    end: 'End',
    endTitle: 'End this term?',
    endHelp:
      'Nothing is erased by it from now on. In 24 hours the term of an organization above holds here, if there is one.',
    runs: 'Runs',
    begun: 'Begun',
    erased: 'Erased',
    held: 'Kept by holds',
    failed: 'Failed',
    states: { RUNNING: 'Under way', DONE: 'Done', STOPPED: 'Stopped' },
    more: (count: number) => `and ${count} more`,
    preview: 'What would go',
    counting: 'Counting …',
    due: (due: number, total: number, isMore: boolean) =>
      `${isMore ? 'At least ' : ''}${due} of ${total}${isMore ? ' or more' : ''} would go.`,
    waiting: (count: number) => `${count} came here less than a week ago and would go after that.`,
    sample: 'Some of them',
    keptBy: (names: string) => `Kept by ${names}`,
    confirm: 'Erase that much at once',
  },
  fourEyes: {
    title: 'Two people for a change',
    help: 'A change in these areas waits until another administrator approves it, for 72 hours at most. It is guarded at once; to need one person again, another administrator has to agree.',
    area: 'Area',
    areas: {
      erasure: 'Erasing contacts',
      hold: 'Releasing holds',
      retention: 'Terms of retention',
      signIn: 'Sign-in: rules, providers, domains, provisioning tokens, lost second factors',
    },
    two: 'Two people',
    one: 'One person',
    less: 'This waits until another administrator approves it.',
    nobody: 'Nobody else can approve your changes: in the guarded areas they are refused. Make another administrator.',
    waiting: 'Waiting for a second person',
    what: 'What will happen',
    proposedBy: 'Proposed by',
    you: 'You',
    until: 'Until',
    approve: 'Approve',
    refuse: 'Refuse',
    withdraw: 'Withdraw',
    titles: {
      approve: 'Approve this change?',
      refuse: 'Refuse this change?',
      withdraw: 'Withdraw this change?',
    },
    helps: {
      approve: 'It is done at once. The audit log names both of you.',
      refuse: 'Nothing is changed. It can be proposed again.',
      withdraw: 'Nothing is changed. You can propose it again.',
    },
    comment: 'Reason, for who proposed it. Name no consumer: it stays.',
    token: 'The new token, which is shown only now:',
    deeds: {
      eraseContact: 'Erase a contact with all its conversations, for good',
      deleteContact: 'Delete a contact with all its conversations, for good',
      releaseHold: 'Release a hold: what it alone keeps can be erased',
      createRetentionPolicy: 'Set a term of retention',
      updateRetentionPolicy: 'Change a term of retention',
      deleteRetentionPolicy: 'End a term of retention',
      updateSignInPolicy: 'Change the rules of sign-ins',
      createService: 'Let people sign in by a provider',
      updateService: 'Change a provider by which people sign in',
      deleteService: 'Remove a provider by which people sign in',
      verifyDomain: 'Prove a domain',
      removeDomain: 'Remove a domain',
      createScimToken: 'Make a token for provisioning',
      resetFactors: 'Remove the second factor of',
      setFourEyes: 'Need one person again',
    },
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
