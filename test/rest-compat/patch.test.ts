import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema, isInputObjectType } from 'graphql'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../../rest-compat/routes/index.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { uploadImage } from '../support/upload-image.js'

/**
 * One field's first value, the one that a PATCH gives, and the one that it shows then: what was given, unless said
 * otherwise.
 */
interface Change {
  from: unknown
  to: unknown
  shown?: unknown
  /** Other fields that show something else because of it. */
  moves?: readonly string[]
}

interface Resource {
  /** Name of its input type: `UpdateChannelInput`. */
  type: string
  /** Beside the fields' `from`. */
  create?: object
  /** Makes it, when not by `POST` on its own path. */
  make?: () => Promise<string>
  fields: Record<string, Change>
  /** Fields that a create does not take. */
  onlyLater?: readonly string[]
}

/** Second names of fields, and what is asked for besides. */
const NO_FIELDS_OF_THE_RECORD = [
  'UpdateArticleInput.content',
  // Of what is erased at once: test/retention.
  'UpdateRetentionPolicyInput.confirmed',
  'UpdateServiceInput.isOwnType',
  'UpdateServiceInput.settings',
  'UpdateUserInput.name',
  // Of bots only: test/conversations/automation.test.ts, test/bots/mask.test.ts.
  'UpdateUserInput.disclosure',
  'UpdateUserInput.mask',
  'UpdateUserInput.currentPassword',
  // Of whoever has accepted it: test/conversations/snooze.test.ts.
  'UpdateConversationInput.snoozedUntil',
  // Of new ones, which keep them: test/views.
  'SaveViewInput.isShared',
  'SaveViewInput.organization',
]
/** `If-Match` in `/v2`: preconditions.test.ts. */
const IF_VERSION = 'ifVersion'

const text = (from = 'before', to = 'after'): Change => ({ from, to })
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const META: Change = { from: { a: 1, nested: { b: 2, c: 3 } }, to: { nested: { b: 4 } } }
const TAGS: Change = { from: ['a', 'b'], to: ['c'] }

let app: TestServer
let admin: MadeUser
let agent: MadeUser
let conversation: string
let ids: Record<'channel' | 'group' | 'below' | 'attachment' | 'calendar', string>
let dataDir: string

const rest = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
  const answer = await app.rest(admin, method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const make = async (path: string, body: object): Promise<string> => (await rest('POST', path, body)).id as string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'patch-'))
  app = await startTestServer({ DATA_DIR: dataDir })
  const organization = await app.makeOrganization()
  admin = await app.makeUser({ organization, role: 'owner' })
  agent = await app.makeUser({ organization })
  conversation = await make('/v2/conversations', {
    touchpoint: 'web',
    contact: { profile: { name: 'Carl', email: 'carl@example.com' } },
  })
  ids = {
    channel: await make('/v2/channels', { name: 'C' }),
    group: await make('/v2/orggroups', { name: 'G' }),
    calendar: await make('/v2/holidaycalendars', { name: 'H' }),
    below: (await app.makeOrganization({ parent: organization })).id,
    attachment: (
      (await (await uploadImage(app, await app.tokenFor(admin), { name: 'a.png' })).json()) as { id: string }
    ).id,
  }
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const RULE = {
  conditions: { all: [] },
  event: { type: 'notify', params: { name: 'R', delay: 5, isLastRule: true } },
  priority: 3,
}

/** The resources by their path; the ids are known when the tests run. */
const RESOURCES: Record<string, () => Resource> = {
  '/v2/users/:id': () => ({
    type: 'UpdateUserInput',
    fields: {
      email: text('before@example.com', 'after@example.com'),
      familyName: { ...text(), moves: ['name'] },
      givenName: { ...text(), moves: ['name'] },
      additionalName: { ...text(), moves: ['name'] },
      displayName: text(),
      phone: text('1', '2'),
      password: { from: 'correct horse', to: 'battery staple', shown: undefined },
      avatar: text('https://example.com/a.png', 'https://example.com/b.png'),
      organization: { from: admin.organization.id, to: ids.below, moves: ['organizations', 'settings'] },
      role: { from: 'agent', to: 'viewer', moves: ['organizations'] },
      settings: {
        from: { locale: 'nl', audioOnChat: false, notifications: ['a'] },
        to: { locale: 'de' },
        shown: expect.objectContaining({ locale: 'de', audioOnChat: true, tabdotNotify: true }),
      },
      meta: META,
      status: { from: 'active', to: 'archived' },
    },
  }),
  '/v2/organizations/:id': () => ({
    type: 'UpdateOrganizationInput',
    fields: {
      name: text(),
      displayName: text(),
      url: text('https://a.example/', 'https://b.example/'),
      email: text('a@example.com', 'b@example.com'),
      industry: text(),
      logo: text('https://example.com/a.png', 'https://example.com/b.png'),
      country: { from: 'NL', to: 'DE' },
      locale: text('nl', 'de'),
      timezone: text('Europe/Paris', 'Asia/Tokyo'),
      stopwords: TAGS,
      commands: TAGS,
      tags: TAGS,
      categories: { from: [{ name: 'A' }, { name: 'B' }], to: [{ name: 'C' }], shown: [{ name: 'C', forms: [] }] },
      profileFields: {
        from: { email: { label: 'Mail', enabled: true }, gender: { label: 'G', enabled: true } },
        to: { email: { label: 'Post', enabled: false } },
      },
      meta: META,
    },
  }),
  '/v2/orggroups/:id': () => ({
    type: 'UpdateOrganizationGroupInput',
    fields: { name: text(), members: { from: [admin.organization.id], to: [ids.below] } },
  }),
  '/v2/channels/:id': () => ({
    type: 'UpdateChannelInput',
    fields: {
      name: text(),
      members: {
        from: [{ user: admin.id }],
        to: [{ user: agent.id }],
        shown: [expect.objectContaining({ user: agent.id })],
      },
      assignment: {
        from: { mode: 'offer', offerSeconds: 30 },
        to: { mode: 'assign', limitPulls: true },
        shown: expect.objectContaining({ mode: 'assign', limitPulls: true, offerSeconds: 20 }),
      },
      serviceLevel: {
        from: { answerSeconds: 30, shortAbandonSeconds: 3 },
        to: { answerSeconds: 60 },
        shown: { answerSeconds: 60, shortAbandonSeconds: 5 },
      },
      survey: {
        from: { scale: 'five', text: 'How was it?', onceDays: 7 },
        to: { scale: 'thumbs' },
        shown: expect.objectContaining({ scale: 'thumbs', onceDays: 30 }),
      },
      signature: { from: '<p>The boats</p>', to: '<p>The masts</p>' },
    },
  }),
  '/v2/labels/:id': () => ({ type: 'UpdateLabelInput', fields: { name: text(), hue: { from: 10, to: 200 } } }),
  '/v2/holds/:id': () => ({
    type: 'UpdateHoldInput',
    create: { to: '2001-01-01T00:00:00Z' },
    fields: { name: text(), reason: text() },
  }),
  '/v2/retentionpolicies/:id': () => ({
    type: 'UpdateRetentionPolicyInput',
    create: { subject: 'contacts' },
    fields: { days: { from: 100, to: 200 }, startsAt: { from: inDays(2), to: inDays(3) } },
  }),
  '/v2/macros/:id': () => ({
    type: 'UpdateMacroInput',
    fields: {
      name: text(),
      shortcut: { from: 'one', to: 'two' },
      channels: { from: [], to: [ids.channel] },
      steps: { from: [{ kind: 'note', text: 'A' }], to: [{ kind: 'reply', text: 'B' }, { kind: 'close' }] },
    },
  }),
  '/v2/views/:id': () => ({
    type: 'SaveViewInput',
    fields: {
      name: text(),
      filter: {
        from: { status: { eq: 'queued' } },
        to: { language: { eq: 'nl' } },
        shown: { type: { eq: 'contact' }, language: { eq: 'nl' } },
      },
      orderBy: { from: [], to: [{ field: 'createdAt', direction: 'asc' }] },
    },
  }),
  '/v2/skills/:id': () => ({ type: 'UpdateSkillInput', fields: { name: text() } }),
  '/v2/schedules/:id': () => ({
    type: 'UpdateScheduleInput',
    fields: {
      name: text(),
      timezone: { from: 'Europe/Paris', to: 'Asia/Tokyo', moves: ['changesAt', 'isOpen'] },
      spans: {
        from: [{ days: ['Mon'], opens: '09:00', closes: '17:00' }],
        to: [{ days: ['Tue'], opens: '09:00', closes: '17:00' }],
        moves: ['changesAt', 'isOpen'],
      },
      exceptions: {
        from: [],
        to: [{ firstDay: '2026-12-25', lastDay: '2026-12-25', name: 'Christmas', spans: [] }],
        moves: ['changesAt', 'isOpen'],
      },
      calendars: { from: [], to: [ids.calendar], moves: ['changesAt', 'isOpen'] },
      text: text(),
    },
  }),
  '/v2/holidaycalendars/:id': () => ({
    type: 'UpdateHolidayCalendarInput',
    fields: {
      name: text(),
      days: { from: [], to: [{ firstDay: '2026-12-26', lastDay: '2026-12-26', name: 'Boxing Day', spans: [] }] },
    },
  }),
  '/v2/reasoncodes/:id': () => ({
    type: 'UpdateReasonCodeInput',
    fields: { name: text(), availabilities: { from: ['away'], to: ['busy'] } },
  }),
  '/v2/slapolicies/:id': () => ({
    type: 'UpdateSlaPolicyInput',
    fields: {
      name: text(),
      position: { from: 3, to: 4 },
      conditions: {
        from: { all: [] },
        to: { any: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'A' }] },
      },
      schedule: { from: null, to: null, shown: undefined },
      targets: {
        from: [{ clock: 'queue', minutes: 5, warnMinutes: null }],
        to: [{ clock: 'firstResponse', minutes: 10, warnMinutes: 2 }],
        shown: [{ clock: 'firstResponse', minutes: 10, seconds: 600, warnMinutes: 2, warnSeconds: 120, acts: [] }],
      },
    },
  }),
  '/v2/workflows/:id': () => ({
    type: 'UpdateWorkflowInput',
    fields: {
      name: text(),
      organizations: { from: [admin.organization.id], to: [ids.below] },
      organizationTags: { from: ['a', ids.group], to: ['b'] },
      rules: {
        from: [RULE],
        to: [{ conditions: { any: [] }, event: { type: 'notify', params: {} } }],
        // Without `priority`, `delay` and `isLastRule`: their defaults (2.7).
        shown: [
          expect.objectContaining({
            conditions: { any: [] },
            priority: 1,
            event: { type: 'notify', params: expect.not.objectContaining({ name: 'R', delay: 5, isLastRule: true }) },
          }),
        ],
      },
    },
  }),
  '/v2/conversations/:id': () => ({
    type: 'UpdateConversationInput',
    create: { contact: { profile: { name: 'Dee', email: `${crypto.randomUUID()}@example.com` } } },
    fields: {
      name: text(),
      language: text('nl', 'de'),
      meta: META,
      touchpoint: { from: 'web', to: 'email', moves: ['touchpoints'] },
      category: { from: null, to: null, shown: null },
    },
  }),
  '/v2/messages/:id': () => ({
    type: 'UpdateMessageInput',
    make: () =>
      make(`/v2/conversations/${conversation}/messages`, {
        text: 'before',
        meta: META.from,
        actions: [{ type: 'reply', text: 'Yes', payload: 'y', iconUrl: 'https://a.example/' }],
        items: [{ title: 'T', description: 'D' }],
      }),
    fields: {
      text: text(),
      meta: META,
      actions: {
        from: null,
        to: [{ type: 'reply', text: 'No', payload: 'n' }],
        shown: [{ type: 'reply', text: 'No', payload: 'n' }],
      },
      items: { from: null, to: [{ title: 'U' }], shown: [expect.not.objectContaining({ description: 'D' })] },
    },
  }),
  '/v2/contacts/:id': () => ({
    type: 'UpdateContactInput',
    onlyLater: ['status'],
    fields: {
      profile: {
        from: { name: 'N', gender: 'f', address: { city: 'Bath', postalCode: '1' } },
        to: { name: 'M', address: { city: 'York' } },
      },
      meta: META,
      status: { from: 'active', to: 'blocked' },
    },
  }),
  '/v2/services/:id': () => ({
    type: 'UpdateServiceInput',
    fields: {
      name: text(),
      type: text('sort-a', 'sort-b'),
      status: text('active', 'inactive'),
      meta: META,
      params: { from: { host: 'h', port: 25, nested: { a: 1, b: 2 } }, to: { host: 'i', nested: { a: 3 } } },
    },
  }),
  '/v2/forms/:id': () => ({
    type: 'UpdateFormInput',
    fields: {
      name: text(),
      email: { from: ['a@example.com'], to: ['b@example.com'] },
      isStatic: { from: true, to: false },
      tags: TAGS,
      meta: META,
      fields: {
        from: [{ key: 'a', label: 'A', required: true, max: 5 }, { key: 'b' }],
        to: [{ key: 'a' }],
        shown: [expect.not.objectContaining({ label: 'A', required: true, max: 5 })],
      },
    },
  }),
  '/v2/articles/:id': () => ({
    type: 'UpdateArticleInput',
    fields: {
      title: text(),
      summary: text(),
      body: { ...text(), moves: ['content'] },
      language: text('nl', 'de'),
      category: text(),
      tags: TAGS,
      meta: META,
      status: text('draft', 'published'),
    },
  }),
  '/v2/files/:id': () => ({
    type: 'UpdateFileInput',
    fields: {
      name: text(), // Other content, of which nothing is known yet.
      url: {
        ...text('https://a.example/a.pdf', 'https://b.example/b.pdf'),
        moves: ['downloadUrl', 'fileType', 'size'],
      },
      fileType: text('text/csv', 'text/plain'),
      size: { from: 1, to: 2 },
      tags: TAGS,
      attachment: { from: undefined, to: undefined },
    },
  }),
  '/v2/locations/:id': () => ({
    type: 'UpdateLocationInput',
    fields: {
      name: text(),
      email: text('a@example.com', 'b@example.com'),
      telephone: text('+31612345678', '+31612345679'),
      url: text('https://a.example/', 'https://b.example/'),
      timezone: text('Europe/Amsterdam', 'Europe/Berlin'),
      latitude: { from: 1, to: 2 },
      longitude: { from: 1, to: 2 },
      tags: TAGS,
      address: { from: { postalCode: '1', streetAddress: 'S' }, to: { postalCode: '2' } },
      openingHours: {
        from: [{ days: ['Mon'], opens: '09:00', closes: '17:00' }],
        to: [{ days: ['Tue'], opens: '10:00', closes: '12:00' }],
      },
    },
  }),
  '/v2/attachments/:id': () => ({
    type: 'UpdateAttachmentInput',
    make: async () => ids.attachment,
    fields: { fileName: { ...text('a.png', 'b.png'), moves: ['url'] }, tags: TAGS },
  }),
}

/** Sub-resources, whose parents have the same fields: tested with those. */
const PARTS = [
  '/v2/channels/:id/members',
  '/v2/workflows/:id/rules/:rule',
  '/v2/conversations/:id/messages/:message',
  // test/timeline/contact-notes.test.ts
  '/v2/contacts/:id/notes/:note',
]

/** Paths of an agent's capacity, which is no resource: tested by their calls in typed-client.test.ts. */
const STAFFING = ['/v2/users/:id/availability', '/v2/users/:id/staffing']
/** Have no id but their organization's: tested in sign-in-policy.test.ts and four-eyes.test.ts. */
const POLICY = ['/v2/signinpolicy', '/v2/foureyes']

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

/** Without what the server makes anew with every answer. */
function lasting({
  updatedAt: _updatedAt,
  version: _version,
  ...record
}: Record<string, unknown>): Record<string, unknown> {
  return record
}

describe('PATCH (section 1)', () => {
  it('is tested for every resource that has it', () => {
    const patched = routes.filter(({ method }) => method === 'PATCH').map(({ path }) => path)
    expect([...Object.keys(RESOURCES), ...PARTS, ...STAFFING, ...POLICY].toSorted()).toEqual(
      [...new Set(patched)].toSorted(),
    )
  })

  // [1 PATCH, PATCH first level, PATCH nested, PATCH meta]
  it.each(Object.keys(RESOURCES))(
    '%s: merges at the top level, replaces nested values, keeps the rest',
    async (path) => {
      const { type, create, fields, onlyLater = [], make: makeOne } = RESOURCES[path]!()
      const input = schema.getType(type)
      if (!isInputObjectType(input)) throw new Error(`no ${type}`)
      const taken = Object.keys(input.getFields()).filter(
        (name) => name !== IF_VERSION && !NO_FIELDS_OF_THE_RECORD.includes(`${type}.${name}`),
      )
      expect(Object.keys(fields).toSorted()).toEqual(taken.toSorted())

      const first = Object.entries(fields).filter(
        ([name, { from }]) => from !== undefined && from !== null && !onlyLater.includes(name),
      )
      const body = { ...create, ...Object.fromEntries(first.map(([name, { from }]) => [name, from])) }
      const id = makeOne ? await makeOne() : await make(path.replace('/:id', ''), body)
      const at = path.replace(':id', id)

      const whole = await rest('GET', at)
      await rest('PATCH', at, whole)
      expect(lasting(await rest('GET', at))).toEqual(lasting(whole))

      for (const [name, { to, moves = [], ...change }] of Object.entries(fields)) {
        if (to === undefined) continue
        const before = lasting(await rest('GET', at))
        const answer = await rest('PATCH', at, { [name]: to })
        const after = lasting(await rest('GET', at))
        const expected = { ...before, [name]: 'shown' in change ? change.shown : to }
        for (const moved of moves) expected[moved] = after[moved]
        expect({ [name]: after }).toEqual({ [name]: expected })
        expect(lasting(answer)).toMatchObject({ id })
      }
    },
  )
})
