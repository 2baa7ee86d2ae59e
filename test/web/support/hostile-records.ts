import { expect } from '@jest/globals'
import type { MadeUser } from '../../support/factories.js'
import { uploadImage } from '../../support/upload-image.js'
import { until } from '../../support/until.js'
import { rawMail } from '../../touchpoints/email/mails.js'
import { HOSTILE } from './hostile-html.js'
import type { TestOffice } from './office.js'

/** Stands in every text that somebody chooses, and is replaced in the database by what no write might take. */
export const MARK = 'HOSTILE'
/** The same where capitals are not taken. */
const LOW = 'hostile'
/** Begins every address that somebody chooses: it becomes a script's. */
const ADDRESS = `https://${LOW}.example/`

/** Ids of what was made, by the name of its step. */
export type Made = Readonly<Record<string, string>>

interface Step {
  name: string
  /** With `made` for the record. */
  document: string
  variables(made: Made): object
}

const create = (type: string, input: (made: Made) => object, name = type): Step => ({
  name,
  document: `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { id } }`,
  variables: (made) => ({ input: input(made) }),
})
const act = (name: string, document: string, variables: Step['variables']): Step => ({ name, document, variables })
const send = (name: string, message: (made: Made) => object): Step =>
  act(
    name,
    'mutation ($c: ID!, $m: MessageInput!) { made: sendMessage(conversation: $c, message: $m) { id } }',
    (made) => ({ c: made.conversation, m: message(made) }),
  )

/** A card, with a button of each kind. */
const CARD = {
  type: 'CARD',
  text: MARK,
  meta: { title: MARK },
  items: [
    {
      title: MARK,
      description: MARK,
      mediaUrl: `${ADDRESS}a.png`,
      actions: [
        { type: 'POSTBACK', text: MARK, payload: MARK },
        { type: 'LINK', text: MARK, uri: ADDRESS },
      ],
    },
  ],
}
const SOURCES = { model: MARK, tools: [MARK], sources: [{ title: MARK, url: ADDRESS }] }

/** One of everything that has a name, in an order in which each finds what it names. */
const RECORDS: readonly Step[] = [
  create('HolidayCalendar', () => ({ name: MARK, days: [{ firstDay: '2026-12-25', name: MARK }] })),
  create('Schedule', ({ HolidayCalendar }) => ({
    name: MARK,
    timezone: 'UTC',
    text: MARK,
    calendars: [HolidayCalendar],
    spans: [{ days: ['MON', 'FRI'], opens: '09:00', closes: '17:00' }],
  })),
  create('SlaPolicy', ({ Schedule }) => ({
    name: MARK,
    schedule: Schedule,
    targets: [{ clock: 'QUEUE', minutes: 5 }],
  })),
  create('Channel', ({ organization }) => ({ organization, name: MARK })),
  create('Skill', () => ({ name: MARK })),
  create('ReasonCode', () => ({ name: MARK })),
  create('Location', () => ({ name: MARK, url: ADDRESS, tags: [MARK] })),
  create('OrganizationGroup', ({ organization }) => ({ name: MARK, members: [organization] })),
  create('Organization', ({ organization }) => ({
    name: MARK,
    displayName: MARK,
    parent: organization,
    tags: [MARK],
  })),
  create('User', ({ organization }) => ({
    email: `${LOW}@harbour.example`,
    role: 'AGENT',
    displayName: MARK,
    organization,
  })),
  act(
    'member',
    'mutation ($channel: ID!, $user: ID!) { made: addChannelMember(channel: $channel, user: $user) { id } }',
    ({ channel, User }) => ({ channel, user: User }),
  ),
  create('CannedResponse', () => ({ shortcut: LOW, text: MARK })),
  create('Article', () => ({ title: MARK, summary: MARK, body: `<p>${MARK}</p>`, tags: [MARK] })),
  create('Form', () => ({
    name: MARK,
    tags: [MARK],
    fields: [
      { key: 'said', label: MARK, placeholder: MARK, type: 'TEXT' },
      { key: 'one', label: MARK, type: 'SELECT', options: [MARK, 'other'] },
      { key: 'many', label: MARK, type: 'MULTISELECT', options: [MARK, 'other'] },
      { key: 'is', label: MARK, type: 'BOOLEAN' },
    ],
  })),
  create('Label', () => ({ name: MARK })),
  create('Macro', ({ Label }) => ({
    name: MARK,
    shortcut: LOW,
    isShared: true,
    steps: [
      { kind: 'REPLY', text: MARK },
      { kind: 'NOTE', text: MARK },
      { kind: 'LABELS', add: [Label] },
    ],
  })),
  create('Macro', () => ({ name: MARK, steps: [{ kind: 'REPLY', text: MARK }] }), 'own macro'),
  create('Workflow', ({ channel }) => ({
    name: MARK,
    rules: [
      {
        conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: MARK }] },
        event: { type: 'notify', params: { name: MARK, channels: [channel] } },
      },
    ],
  })),
  create('Service', () => ({ name: MARK, type: 'webhook', params: { url: 'https://hook.example/' } })),
  create('Service', () => ({ name: MARK, type: 'crm', isOwnType: true, params: { note: MARK } }), 'own type'),
  act('view', 'mutation ($input: SaveViewInput!) { made: saveView(input: $input) { id } }', ({ Label }) => ({
    input: { name: MARK, isShared: true, filter: { labels: { eq: Label } } },
  })),
  act('domain', 'mutation ($input: AddDomainInput!) { made: addDomain(input: $input) { id } }', () => ({
    input: { name: `${LOW}.example` },
  })),
  act(
    'survey',
    'mutation ($id: ID!, $survey: ChannelSurveyInput) { made: updateChannel(id: $id, patch: { survey: $survey }) { id } }',
    ({ channel }) => ({ id: channel, survey: { scale: 'FIVE', text: MARK, onceDays: 0 } }),
  ),
  act(
    'category',
    'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { made: updateOrganization(id: $id, patch: $patch) { id } }',
    ({ organization, Form }) => ({ id: organization, patch: { categories: [{ name: MARK, forms: [Form] }] } }),
  ),
  act('settings', 'mutation ($patch: UserSettingsInput!) { made: updateMySettings(patch: $patch) { id } }', () => ({
    patch: { cannedResponses: [MARK] },
  })),
]

/** Messages that agents and bots write in a conversation. */
const MESSAGES: readonly Step[] = [
  send('text', () => ({ role: 'AGENT', text: MARK })),
  send('note', () => ({ role: 'AGENT', text: MARK, isBackchannel: true })),
  send('file', ({ file }) => ({ role: 'AGENT', text: MARK, meta: { fileId: file } })),
  send('card', () => ({ role: 'AGENT', ...CARD })),
  // As a bot passes an article on.
  send('article', () => ({ role: 'AGENT', text: `<p>${MARK}</p>`, contentType: 'TEXT_HTML' })),
  send('page', () => ({ role: 'AGENT', text: ADDRESS, contentType: 'TEXT_URL' })),
  send('form', ({ Form }) => ({ role: 'AGENT', type: 'FORM', text: `+${MARK}`, meta: { form: Form } })),
  send('field', ({ Form }) => ({ role: 'AGENT', type: 'FIELD', text: `.said ${MARK}`, meta: { form: Form } })),
]

/** Things beside a conversation. */
const BESIDE: readonly Step[] = [
  act(
    'labels',
    'mutation ($c: ID!, $add: [ID!]) { made: setLabels(conversation: $c, add: $add) { id } }',
    ({ conversation, Label }) => ({ c: conversation, add: [Label] }),
  ),
  act(
    'set',
    'mutation ($c: ID!, $patch: SetConversationInput!) { made: setConversation(conversation: $c, patch: $patch) { id } }',
    ({ conversation }) => ({ c: conversation, patch: { name: MARK, category: MARK } }),
  ),
  act(
    'contact note',
    'mutation ($c: ID!, $text: String!) { made: addContactNote(contact: $c, text: $text) { id } }',
    ({ contact }) => ({ c: contact, text: MARK }),
  ),
]

async function take(office: TestOffice, as: MadeUser | string, step: Step, made: Made): Promise<string> {
  const { data, errors } = await office.gql(as, step.document, step.variables(made) as Record<string, unknown>)
  expect([step.name, errors]).toEqual([step.name, undefined])
  return data.made.id
}

/**
 * Makes one of everything that has a text of somebody's choice.
 * @param provider params of a provider of sign-ins
 */
export async function makeHostileRecords(office: TestOffice, provider: object): Promise<Made> {
  const made: Record<string, string> = { organization: office.organization.id, channel: office.channel }
  const all = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) made[step.name] = await take(office, office.owner, step, made)
  }
  await all([...RECORDS, create('Service', () => ({ name: MARK, type: 'oidc', params: provider }), 'provider')])
  const conversation = await office.arrive(MARK, MARK, {
    messages: [{ role: 'CONTACT', text: MARK, meta: { url: ADDRESS, title: MARK } }],
  })
  made.conversation = conversation
  made.contact = await contactOf(office, conversation)
  await rate(office, conversation)
  await office.say(conversation, MARK)
  const token = await office.tokenFor(office.owner)
  made.file = ((await (await uploadImage(office, token, { name: `${MARK}.png` })).json()) as { id: string }).id
  await take(office, office.owner, ACCEPT, made)
  await sayAll(office, made)
  await all(BESIDE)
  made.mail = await receiveMail(office)
  return made
}

/** Writes everything in the conversation that agents and bots can. */
export async function sayAll(office: TestOffice, made: Made): Promise<void> {
  for (const step of MESSAGES) await take(office, office.owner, step, made)
  await take(office, office.bot, ANSWER, made)
}

const ANSWER = send('answer', () => ({ role: 'AGENT', text: MARK, provenance: SOURCES }))
const ACCEPT = act(
  'accept',
  'mutation ($id: ID!) { made: acceptConversation(conversation: $id) { id } }',
  ({ conversation }) => ({ id: conversation }),
)

async function contactOf(office: TestOffice, id: string): Promise<string> {
  const { data } = await office.gql(office.owner, 'query ($id: ID!) { conversation(id: $id) { contactId } }', { id })
  return data.conversation.contactId
}

/** Closes the conversation, and rates it as its consumer does. */
async function rate(office: TestOffice, conversation: string): Promise<void> {
  const { owner } = office
  await take(office, owner, ACCEPT, { conversation })
  await take(office, owner, MESSAGES[0]!, { conversation })
  await closeForGood(office, conversation)
  const ratings = '{ ratings(first: 1) { edges { node { id } } } }'
  const rating = await until(async () => (await office.gql(owner, ratings)).data.ratings.edges[0]?.node.id)
  const guest = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
  const { data } = await office.gql(owner, guest, { id: conversation })
  const answer = `mutation ($id: ID!) { answerSurvey(rating: $id, score: 1, comment: "${MARK}") { id } }`
  expect((await office.gql(data.createGuestToken.token, answer, { id: rating })).errors).toBeUndefined()
}

/** Closes a conversation, and lets the time pass in which that can be undone: then its consumer is asked for a rating. */
export async function closeForGood({ owner, clock, gql }: TestOffice, id: string): Promise<void> {
  const closed = await gql(owner, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id })
  expect(closed.errors).toBeUndefined()
  clock.advance(16_000)
}

/** Receives a mail with hostile heads. @returns its conversation */
async function receiveMail(office: TestOffice): Promise<string> {
  const secret = 'an inbound secret of the test'
  const address = 'support@harbour.example'
  const service = await take(
    office,
    office.owner,
    create('Service', () => ({ name: MARK, type: 'email', params: { address, inboundSecret: secret } })),
    {},
  )
  const response = await fetch(`${office.url}/inbound/email/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': secret },
    body: rawMail({
      from: `"${MARK}" <${LOW}@mails.example>`,
      to: `${address}, "${MARK}" <${LOW}@copies.example>`,
      subject: MARK,
      html: `<p>${MARK}</p><img src="${ADDRESS}a.png"><a href="${ADDRESS}">${MARK}</a>`,
      messageId: `${LOW}@mails.example`,
      attachments: [{ name: `${MARK}.png`, type: 'image/png', content: Buffer.from('no picture') }],
    }),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { conversation: string }).conversation
}

/** Past all checks, as if they had failed. @returns how many columns had the mark */
export async function poison(office: TestOffice): Promise<number> {
  const { database } = office.server
  const columns = await database.query<{ table: string; name: string; type: string }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and format_type(a.atttypid, null) in ('text', 'jsonb', 'text[]') and c.relname not in ('stream', 'job', 'event_default')`,
  )
  // It refuses every change of what was done.
  await database.query('alter table audit_entry disable trigger audit_entry_unchanged')
  let count = 0
  for (const { table, name, type } of columns) {
    let isMarked = false
    for (const [mark, text] of [
      [ADDRESS, 'javascript:window.ran=1//'],
      [MARK, HOSTILE],
      [LOW, HOSTILE],
    ] as const) {
      const escaped = type === 'jsonb' ? JSON.stringify(text).slice(1, -1) : text
      const changed =
        type === 'text[]' ? `array_replace("${name}", $1, $2)` : `replace("${name}"::text, $1, $2)::${type}`
      const rows = await database.query(
        `update "${table}" set "${name}" = ${changed} where "${name}"::text like '%' || $1 || '%' returning 1`,
        [mark, escaped],
      )
      isMarked ||= rows.length > 0
    }
    if (isMarked) count += 1
  }
  await database.query('alter table audit_entry enable trigger audit_entry_unchanged')
  return count
}
