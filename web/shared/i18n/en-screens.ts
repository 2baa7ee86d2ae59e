/** What the screens beside the conversations say, in English. */
export const enScreens = {
  clocks: {
    title: 'Targets',
    kinds: {
      QUEUE: 'Acceptance',
      FIRST_RESPONSE: 'First response',
      NEXT_RESPONSE: 'Next response',
      RESOLUTION: 'Resolution',
    },
    due: (time: string) => `due in ${time}`,
    late: (time: string) => `${time} late`,
    paused: 'paused',
    never: 'no due time',
    order: 'Order of the queue',
    byWaiting: 'Longest waiting',
    byDue: 'Due next',
  },
  staffing: {
    title: 'Your status',
    button: (state: string, load: string) => `Status: ${state}, load ${load}`,
    load: (load: number, capacity: number) => `You have ${load} of ${capacity} units of work.`,
    reason: 'Reason, which colleagues see',
    states: {
      AVAILABLE: 'Available',
      BUSY: 'Busy',
      AWAY: 'Away',
      OFFLINE: 'Offline',
      NOT_RESPONDING: 'Not responding',
    },
    helps: {
      AVAILABLE: 'You are offered conversations.',
      BUSY: 'You keep yours and are offered no more.',
      AWAY: 'You are back soon.',
      OFFLINE: 'You are not here.',
      NOT_RESPONDING: 'You missed two offers. Set another status to go on.',
    },
  },
  offers: {
    title: (name: string) => `${name} is offered to you`,
    seconds: (n: number) => `${n} s left`,
    acceptShort: 'Accept',
    declineShort: 'Decline',
    accept: 'Accept the offer',
    decline: 'Decline the offer',
    why: 'Offers',
    whyNobody: 'pending',
    outcome: {
      ACCEPTED: 'accepted',
      DECLINED: 'declined',
      EXPIRED: 'not answered in time',
      WITHDRAWN: 'withdrawn',
    },
  },
  palette: {
    label: 'Command palette',
    ask: 'Search or command',
    results: 'Results',
    conversations: 'Conversations',
    actions: 'Do',
    search: 'Search',
    searchFor: (text: string) => `Search for “${text}”`,
    goTo: (name: string) => `Go to ${name}`,
    nothing: 'Nothing fits',
    choose: 'choose',
    open: 'open',
  },
  help: {
    title: 'Keys',
    off: 'Single keys can be switched off in the settings.',
    composer: [
      ['Send', 'ctrl enter'],
      ['Canned response, in the composer', ';'],
      ['Command, in the composer', '/'],
      ['Mention a colleague, in the composer', '@'],
    ] as [string, string][],
  },
  search: {
    title: 'Search',
    ask: 'Words to look for',
    submit: 'Search',
    kinds: 'Where to look',
    all: 'Everything',
    CONVERSATION: 'Conversations',
    MESSAGE: 'Messages',
    CONTACT: 'Contacts',
    results: 'Results',
    found: (n: number, text: string) => (n === 0 ? `Nothing has “${text}”` : `${n} found for “${text}”`),
    nothingHelp: 'All the words have to be there, in any order. Try fewer, or the beginning of one.',
    help: 'All the words, in any order. “a phrase” in quotation marks, or between two, a minus before a word to leave it out.',
    more: 'More',
  },
  settings: {
    title: 'Settings',
    signOut: 'Sign out',
  },
  rules: {
    all: 'all of',
    any: 'any of',
    was: 'was',
    nothing: 'nothing',
    operators: {
      defined: 'is specified',
      equal: 'is',
      notEqual: 'is not',
      in: 'is one of',
      notIn: 'is none of',
      match: 'matches',
      notMatch: 'does not match',
      pattern: 'fits the address',
      noPattern: 'does not fit the address',
      lessThan: 'is less than',
      lessThanInclusive: 'is at most',
      greaterThan: 'is more than',
      greaterThanInclusive: 'is at least',
      between: 'is between',
      notBetween: 'is not between',
      contains: 'contains',
      doesNotContain: 'does not contain',
    },
  },
}

/** The catalogue with its texts free: what each language has to have. */
export type Loose<T> = T extends string
  ? string
  : T extends (...given: infer A) => string
    ? (...given: A) => string
    : { [K in keyof T]: Loose<T[K]> }

export type ScreenMessages = Loose<typeof enScreens>
