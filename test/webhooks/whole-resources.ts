import type { MadeUser } from '../support/factories.js'

/** Passed by the suite that creates and changes the records. */
export interface Making {
  // The tests state what they expect of it.
  // oxlint-disable-next-line typescript/no-explicit-any
  call(method: string, path: string, body?: object): Promise<any>
  admin: MadeUser
  bot: MadeUser
}

const HOURS = [{ days: ['Mon'], opens: '09:00', closes: '17:00' }]
const WHEN = { all: [{ fact: 'message', path: '.text', operator: 'defined', value: true }] }
const NEVER = { all: [{ fact: 'conversation', path: '.language', operator: 'equal', value: 'xx' }] }

/** `[resource, collection, input with every key, patch]` of every resource that `/v2` creates and changes. */
export const RESOURCES: [string, string, (making: Making) => object | Promise<object>, Record<string, unknown>][] = [
  [
    'article',
    'articles',
    () => ({
      ...{ title: 'Hours', summary: 'When', body: 'Nine to five', language: 'en', category: 'Desk', tags: ['a'] },
      meta: { x: 1 },
    }),
    { title: 'Opening hours' },
  ],
  ['channel', 'channels', ({ bot }) => ({ name: 'Sales', members: [{ user: bot.id }] }), { name: 'Sales EU' }],
  [
    'channel',
    'channels',
    () => ({
      name: 'Offers',
      assignment: { mode: 'offer', requeueGoneSeconds: 60 },
      serviceLevel: { answerSeconds: 30, shortAbandonSeconds: 5 },
      survey: { scale: 'thumbs' },
    }),
    { name: 'Offers EU' },
  ],
  [
    'contact',
    'contacts',
    () => ({
      profile: { name: 'Zoe', email: 'zoe@example.com', address: { city: 'Ghent' } },
      meta: { tier: 'gold' },
    }),
    { meta: { tier: 'silver' } },
  ],
  [
    'file',
    'files',
    () => ({ name: 'Price list', url: 'https://example.com/prices.pdf', fileType: 'application/pdf', tags: ['a'] }),
    { name: 'Prices' },
  ],
  [
    'form',
    'forms',
    () => ({ name: 'Order', fields: [{ name: 'Brand', type: 'text' }], email: ['orders@example.com'], tags: ['a'] }),
    { meta: { x: 2 } },
  ],
  [
    'location',
    'locations',
    () => ({
      ...{ name: 'Shop', address: { streetAddress: 'Main 1' }, latitude: 51.05, longitude: 3.72, tags: ['a'] },
      ...{ telephone: '+3112345', email: 'shop@example.com', url: 'https://shop.example', timezone: 'Europe/Brussels' },
      openingHours: HOURS,
    }),
    { name: 'Store' },
  ],
  [
    'organization',
    'organizations',
    () => ({
      ...{ name: 'Branch', displayName: 'The branch', url: 'https://branch.example', email: 'branch@example.com' },
      ...{ industry: 'boats', logo: 'https://branch.example/logo.png', country: 'NL', locale: 'nl' },
      ...{ timezone: 'Europe/Amsterdam', stopwords: ['damn'], commands: ['/quote'], categories: [{ name: 'a' }] },
      profileFields: { givenName: { label: 'Voornaam', enabled: true } },
      tags: ['a'],
    }),
    { meta: { x: 3 } },
  ],
  [
    'organizationGroup',
    'orggroups',
    ({ admin }) => ({ name: 'Group', members: [admin.organization.id] }),
    { name: 'G' },
  ],
  [
    'schedule',
    'schedules',
    async ({ call }) => ({
      ...{ name: 'Office', timezone: 'Europe/Amsterdam', text: 'Closed', spans: HOURS },
      exceptions: [{ firstDay: '2027-04-27', name: 'Party' }, { firstDay: '2027-04-28' }],
      calendars: [(await call('POST', 'holidaycalendars', { name: 'Feasts', days: [{ firstDay: '2027-12-25' }] })).id],
    }),
    { name: 'Desk' },
  ],
  [
    'service',
    'services',
    () => ({ type: 'web', name: 'S', params: { greeting: 'Hi' }, meta: { x: 1 } }),
    { name: 'T' },
  ],
  [
    'holidayCalendar',
    'holidaycalendars',
    () => ({ name: 'Public', days: [{ firstDay: '2027-01-01', name: 'New Year' }, { firstDay: '2027-01-02' }] }),
    { name: 'Bank' },
  ],
  ['reasonCode', 'reasoncodes', () => ({ name: 'Lunch', availabilities: ['away'] }), { name: 'Break' }],
  ['label', 'labels', () => ({ name: 'Urgent', hue: 1 }), { hue: 2 }],
  [
    'macro',
    'macros',
    async ({ call }) => ({
      ...{ name: 'Later', shortcut: 'later', isShared: true },
      channels: [(await call('POST', 'channels', { name: 'Macros' })).id],
      steps: [
        { kind: 'reply', text: 'We are on it.' },
        { kind: 'snooze', until: 'tomorrow' },
      ],
    }),
    { name: 'Much later' },
  ],
  ['skill', 'skills', () => ({ name: 'Dutch' }), { name: 'Flemish' }],
  [
    'slaPolicy',
    'slapolicies',
    async ({ call }) => ({
      ...{ name: 'Gold', targets: [{ clock: 'queue', minutes: 5 }], conditions: NEVER },
      schedule: (await call('POST', 'schedules', { name: 'Gold', timezone: 'Europe/Amsterdam', spans: HOURS })).id,
    }),
    { name: 'Silver' },
  ],
  [
    'user',
    'users',
    () => ({
      ...{ email: 'kim@example.com', givenName: 'Kim', additionalName: 'van', familyName: 'Ng', phone: '+3161' },
      settings: { locale: 'nl' },
      meta: { x: 4 },
    }),
    { avatar: 'https://example.com/kim.png' },
  ],
  [
    'user',
    'users',
    () => ({ email: 'bot@example.com', role: 'bot', disclosure: { en: 'I am a bot.' }, mask: ['card'] }),
    { displayName: 'Marvin' },
  ],
  [
    'workflow',
    'workflows',
    async ({ call, admin }) => ({
      ...{
        _id: '507f1f77bcf86cd799439011',
        name: 'W',
        organizations: [admin.organization.id],
        organizationTags: ['a'],
      },
      rules: [
        {
          conditions: WHEN,
          event: { type: 'notify', params: { channels: [(await call('POST', 'channels', { name: 'Nobody' })).id] } },
        },
      ],
    }),
    { name: 'V' },
  ],
]
