/** Texts of the contacts' pages in English. */
export const en = {
  title: 'Contacts',
  find: 'Find a contact',
  lead: 'Everybody who has written, and whom you may see.',
  none: 'No contact fits this.',
  noneYet: 'Contacts appear here as soon as somebody writes.',
  more: 'Show more',
  failed: 'The contacts did not load.',
  conversations: 'Conversations',
  noConversations: 'There is no conversation that you may see.',
  details: 'Details',
  back: 'All contacts',
  blocked: 'Blocked',
  worksFor: 'Works for',
  email: 'Email',
  phone: 'Telephone',
  ratings: 'Ratings',
  unrated: 'Asked, not answered',
  notAsked: {
    NO_AGENT: 'Not asked: no agent had answered',
    BLOCKED: 'Not asked: the contact was blocked',
    UNREACHABLE: 'Not asked: could not be reached',
    OTHER_TOUCHPOINT: 'Not asked by this touchpoint',
    ASKED_RECENTLY: 'Not asked: was asked a short time ago',
    REOPENED: 'Not asked: the conversation went on',
    MERGED: 'Not asked: the conversation was merged',
  },
  gone: 'There is no such contact, or you may not see it.',
}

export type ContactWords = typeof en
