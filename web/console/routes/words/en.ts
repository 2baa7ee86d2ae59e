import type { Loose } from '../../../shared/i18n/loose.js'

/** Texts of the ways to the consumer, in English. */
export const en = {
  openUntil: (time: string, left: string) => `Open until ${time}, ${left} left`,
  soon: (way: string) => `${way} closes in less than 10 minutes`,
  unusable: 'not now',
  closed: (way: string, name: string, time: string) => `${way} has been closed since ${time}, until ${name} writes.`,
  unknown: (way: string, name: string) => `${name} has not written by ${way} yet.`,
  barred: {
    BLOCKED: (way: string, name: string) => `${name} takes no messages by ${way}.`,
    OPTED_OUT: (way: string, name: string) => `${name} asked for no more messages by ${way}.`,
    SERVICE_INACTIVE: (way: string) => `${way} is switched off.`,
  },
  kept: 'What you wrote stays here.',
  goesBy: (way: string) => `Your answer goes by ${way}.`,
  instead: (way: string) => `By ${way} instead`,
  noAddress: (way: string, name: string) => `No address of ${name} is known for ${way}.`,
  tooLong: (way: string, max: number) => `${way} takes ${max} characters at most: this would not arrive.`,
  split: (messages: number) => `It goes in ${messages} messages.`,
  link: (file: string, way: string) => `${way} shows no such file: ${file} goes as a link.`,
  choose: 'Choose a template',
  service: 'By',
  find: 'Find a template',
  language: 'Language',
  everyLanguage: 'All languages',
  templates: 'Templates',
  none: 'There are no approved templates. They are written at the provider, and come here by themselves.',
  nothing: 'No template fits.',
  values: 'Values',
  header: 'Address of the file above the text',
  preview: 'The consumer reads',
  missing: (name: string) => `Fill in “${name}”.`,
  missingFile: 'Fill in the address of the file.',
  lines: (name: string) => `“${name}” takes one line, without tabs and without more than 4 spaces in a row.`,
  send: 'Send the template',
  sending: 'Sending',
  notApproved: 'The provider does not take this template any more: choose another one.',
  movedOn: 'Something came meanwhile. Read it in the conversation, then send.',
  needsConnection: 'A template needs a connection. What you filled in stays here.',
}

export type RouteWords = Loose<typeof en>
