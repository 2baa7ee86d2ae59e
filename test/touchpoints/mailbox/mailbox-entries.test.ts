import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../../support/factories.js'
import { hasDovecot } from '../../support/dovecot.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

const withDovecot = hasDovecot() ? describe : describe.skip

interface Shown {
  id: string
  state: string
  reason: string | null
  subject: string | null
  isReadable: boolean
  conversationId: string | null
  messageId: string | null
}

const LIST = `query ($service: ID!, $state: MailboxEntryState, $since: DateTime, $first: Int, $after: String) {
  mailboxEntries(service: $service, state: $state, since: $since, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id folder uid state reason subject isReadable conversationId messageId listedAt settledAt tries }
  }
}`
const HEALTH = `query ($id: ID!) { service(id: $id) {
  mailbox { readAt failure listed stored named pending counts { state count } } } }`
const READ = 'mutation ($id: ID!) { readMailboxEntry(id: $id) { id state reason isReadable } }'

const PARTS = ['Content-Type: multipart/mixed; boundary=b', '', ...Array(1_200).fill('--b\r\n\r\nx'), '--b--'].join(
  '\r\n',
)

withDovecot('the ledger of a mailbox, as administrators see it', () => {
  let fixture: MailboxFixture
  let service: string
  beforeEach(async () => {
    fixture = await startMailboxFixture({ MAIL_BYTES_MAX: '16384' })
    service = await fixture.read()
  })
  afterEach(() => fixture?.close())

  async function shown(more: object = {}, app: TestServer = fixture.app): Promise<Shown[]> {
    const { data, errors } = await app.gql(fixture.admin, LIST, { service, first: 100, ...more })
    if (errors) throw new Error(JSON.stringify(errors))
    return data.mailboxEntries.nodes
  }

  const settled = (count: number): Promise<Shown[]> =>
    until(
      () => shown(),
      (found) => found.length >= count && found.every(({ state }) => state !== 'LISTED'),
    )

  const readAgain = (id: string, as: MadeUser = fixture.admin, app: TestServer = fixture.app) =>
    app.gql(as, READ, { id })

  const becomes = (id: string, state: string, app?: TestServer): Promise<Shown> =>
    until(async () => (await shown({}, app)).find((each) => each.id === id && each.state === state))

  const messagesOf = async (): Promise<number> =>
    (await fixture.app.server.database.query("select 1 from message where role = 'contact'")).length

  /** One of each: stored, automatic, unreadable with its file, too large, without a sender. */
  const MAILS = [
    letter({ subject: 'A question', from: 'quinn@boats.example' }),
    letter({ subject: 'Away', head: ['Auto-Submitted: auto-replied'], from: 'otto@boats.example' }),
    letter({ subject: 'A puzzle', body: PARTS, from: 'pit@boats.example' }),
    letter({ subject: 'A large one', text: `Read me. ${'x'.repeat(40_000)}`, from: 'lara@boats.example' }),
    letter({ subject: '', text: '', from: 'emil@boats.example' }),
  ]

  it('names every mail: newest first, by state, since a time, by pages, with the sum', async () => {
    const before = fixture.app.clock.now()
    await fixture.client.put(MAILS)
    const entries = await settled(MAILS.length)
    expect(entries.map(({ state, subject, isReadable }) => [state, subject, isReadable])).toEqual([
      ['UNREADABLE', null, true],
      ['TOO_LARGE', 'A large one', true],
      ['UNREADABLE', null, true],
      ['AUTOMATIC', null, true],
      ['STORED', 'A question', false],
    ])
    expect(entries[0]).toMatchObject({ reason: 'it is empty', messageId: null, conversationId: null })
    expect(entries[2]).toMatchObject({
      reason: 'the mail cannot be parsed: it has more than 1000 parts',
      conversationId: expect.any(String),
    })
    const { data } = await fixture.app.gql(fixture.admin, HEALTH, { id: service })
    expect(data.service.mailbox).toMatchObject({ listed: 5, stored: 1, named: 4, pending: 0, failure: null })
    expect(data.service.mailbox.counts).toEqual([
      { state: 'UNREADABLE', count: 2 },
      { state: 'AUTOMATIC', count: 1 },
      { state: 'STORED', count: 1 },
      { state: 'TOO_LARGE', count: 1 },
    ])
    expect((await shown({ state: 'UNREADABLE' })).map(({ id }) => id)).toEqual([entries[0]!.id, entries[2]!.id])
    expect(await shown({ since: before.toISOString() })).toHaveLength(5)
    expect(await shown({ since: new Date(before.getTime() + 3_600_000).toISOString() })).toEqual([])
    const page = await fixture.app.gql(fixture.admin, LIST, { service, first: 2 })
    const { endCursor: after } = page.data.mailboxEntries.pageInfo
    expect((await shown({ first: 2, after })).map(({ id }) => id)).toEqual([entries[2]!.id, entries[3]!.id])
    const { status, body } = await fixture.app.rest(
      fixture.admin,
      'GET',
      `/v2/services/${service}/entries?state=tooLarge&limit=5`,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: entries[1]!.id, state: 'tooLarge', folder: 'INBOX', subject: 'A large one', tries: 1, isReadable: true },
    ])
    const first = await fixture.app.rest(fixture.admin, 'GET', `/v2/services/${service}/entries?limit=2`)
    expect(first.body).toHaveLength(2)
    expect(first.headers.get('x-total-count')).toBe('5')
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)!
    const { pathname, search } = new URL(next!)
    const second = await fixture.app.rest(fixture.admin, 'GET', pathname + search)
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual([entries[2]!.id, entries[3]!.id])
    expect((await fixture.app.rest(fixture.admin, 'GET', `/v2/services/${service}/entries?sort=id`)).status).toBe(400)
  })

  it('is for administrators of the organization, and of mailboxes', async () => {
    await fixture.client.put([MAILS[4]!])
    const [entry] = await settled(1)
    const elsewhere = await fixture.app.makeOrganization()
    const stranger = await fixture.app.makeUser({ organization: elsewhere, role: 'admin' })
    const codes = async (as: MadeUser): Promise<unknown[]> =>
      (await Promise.all([fixture.app.gql(as, LIST, { service }), readAgain(entry!.id, as)])).map(
        ({ errors }) => errors?.[0]?.extensions.code,
      )
    expect(await codes(fixture.agent)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    expect(await codes(stranger)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    const web = await fixture.makeService('web', { title: 'Chat' })
    expect((await fixture.app.gql(fixture.admin, LIST, { service: web })).errors).toMatchObject([
      {
        message: expect.stringMatching(/is of type "web", not mailbox/),
        extensions: { code: 'UNPROCESSABLE', field: 'service' },
      },
    ])
    expect((await fixture.app.gql(fixture.admin, HEALTH, { id: web })).data.service.mailbox).toBeNull()
    expect((await readAgain('nonsense')).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })

  it('has a mail read again that was left out: it makes a message once, and the log says who asked', async () => {
    await fixture.client.put(MAILS.slice(0, 2))
    const [automatic, stored] = await settled(2)
    expect((await readAgain(stored!.id)).errors).toMatchObject([
      { extensions: { code: 'UNPROCESSABLE', reason: 'NOT_READ_AGAIN', state: 'stored' } },
    ])
    // Two administrators, or one in two tabs, before it is read.
    fixture.mail.hang()
    const answers = await Promise.all([readAgain(automatic!.id), readAgain(automatic!.id)]).finally(() =>
      fixture.mail.resume(),
    )
    expect(answers.map(({ data }) => data.readMailboxEntry.state)).toEqual(['LISTED', 'LISTED'])
    expect(await becomes(automatic!.id, 'STORED')).toMatchObject({ subject: 'Away', reason: null, isReadable: false })
    expect(await messagesOf()).toBe(2)
    const { data } = await fixture.app.gql(
      fixture.admin,
      '{ auditEntries(filter: { action: { eq: "readMailboxEntry" } }) { totalCount } }',
    )
    expect(data.auditEntries.totalCount).toBe(2)
    // What was dealt with stays known, also in another folder.
    await fixture.client.make('Copies')
    await fixture.update(service, { params: fixture.params({ folders: ['INBOX', 'Copies'] }) })
    await fixture.client.put([MAILS[1]!.replace('auto-replied', 'auto-replied ')], { folder: 'Copies' })
    await until(async () => (await shown()).length === 3)
    await settled(3)
    expect(await messagesOf()).toBe(2)
  })

  it('stores once what remains unreadable or too large, however often it is asked for', async () => {
    await fixture.client.put(MAILS.slice(2, 4))
    const [large, puzzle] = await settled(2)
    const before = await messagesOf()
    for (const [entry, state] of [
      [large, 'TOO_LARGE'],
      [puzzle, 'UNREADABLE'],
    ] as const) {
      expect((await readAgain(entry!.id)).data.readMailboxEntry).toMatchObject({ state: 'LISTED', reason: null })
      expect(await becomes(entry!.id, state)).toMatchObject({ messageId: entry!.messageId, reason: entry!.reason })
    }
    expect(await messagesOf()).toBe(before)
  })

  it('reads a mail whole that was too large, once the limit is higher, after a restart', async () => {
    const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40_000, 7)])
    const body = [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the picture.',
      '--b',
      'Content-Type: image/png',
      'Content-Disposition: attachment; filename=boat.png',
      'Content-Transfer-Encoding: base64',
      '',
      picture.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--',
    ].join('\r\n')
    await fixture.client.put([letter({ subject: 'With a file', body, from: 'fanny@boats.example' })])
    const [entry] = await settled(1)
    expect(entry).toMatchObject({ state: 'TOO_LARGE' })
    expect((await readAgain(entry!.id)).errors).toBeUndefined()
    const { databaseUrl } = fixture.app
    await fixture.app.server.close()
    const next = await startTestServer({ DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    try {
      const found = await until(async () => {
        const [now] = await shown({}, next)
        if (now?.state === 'TOO_LARGE') await readAgain(now.id, fixture.admin, next)
        return now?.state === 'STORED' && now
      })
      expect(found.messageId).not.toBe(entry!.messageId)
      const files = await next.server.database.query("select 1 from attachment where file_name = 'boat.png'")
      expect(files).toHaveLength(1)
    } finally {
      await next.close()
    }
  })

  it('brings back nothing that was deleted, nor what a folder had that is read no more', async () => {
    await fixture.client.put(MAILS.slice(2, 4))
    const [large, puzzle] = await settled(2)
    const { data } = await fixture.app.gql(fixture.admin, 'query ($id: ID!) { conversation(id: $id) { contactId } }', {
      id: large!.conversationId,
    })
    await fixture.answer(large!.conversationId!, { text: 'Done' })
    const close = 'mutation ($id: ID!) { closeConversation(conversation: $id) { conversation { id } } }'
    expect((await fixture.app.gql(fixture.agent, close, { id: large!.conversationId })).errors).toBeUndefined()
    const erase = 'mutation ($id: ID!) { deleteContact(id: $id) }'
    expect((await fixture.app.gql(fixture.admin, erase, { id: data.conversation.contactId })).errors).toBeUndefined()
    const erased = await until(async () =>
      (await shown()).find(({ id, conversationId }) => id === large!.id && conversationId === null),
    )
    expect(erased).toMatchObject({ state: 'TOO_LARGE', subject: null })
    expect((await readAgain(large!.id)).errors).toMatchObject([
      { message: expect.stringContaining('is deleted'), extensions: { reason: 'NOT_READ_AGAIN' } },
    ])
    await fixture.client.make('Orders')
    await fixture.update(service, { params: fixture.params({ folders: ['Orders'] }) })
    await until(async () => (await shown()).every(({ isReadable }) => !isReadable))
    expect((await readAgain(puzzle!.id)).errors).toMatchObject([
      { message: expect.stringContaining('numbered anew'), extensions: { reason: 'NOT_READ_AGAIN' } },
    ])
    await fixture.update(service, { status: 'INACTIVE', params: fixture.params() })
  })
})
