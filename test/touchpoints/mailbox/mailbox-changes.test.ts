import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { hasDovecot, MAILBOX } from '../../support/dovecot.js'
import { startTestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

const withDovecot = hasDovecot() ? describe : describe.skip

withDovecot('a mailbox, while something else happens', () => {
  let fixture: MailboxFixture
  let service: string
  beforeEach(async () => {
    fixture = await startMailboxFixture()
    service = await fixture.read()
  })
  afterEach(() => fixture?.close())

  const hears = (text: string): Promise<unknown> =>
    until(async () => (await fixture.texts(service)).filter((each) => each === text).length === 1)

  const state = async (): Promise<{ status: string; failure: string | null; failure_code: string | null }> => {
    const [row] = await fixture.app.server.database.query<Awaited<ReturnType<typeof state>>>(
      'select s.status, m.failure, m.failure_code from service s join mailbox m on m.service_id = s.id where s.id = $1',
      [service],
    )
    return row!
  }

  it('is read by one of two nodes, and by the other when that stops', async () => {
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_URL: fixture.app.databaseUrl }
    const second = await startTestServer(env, { beside: fixture.app })
    try {
      await deliver(
        fixture.mail,
        Array.from({ length: 30 }, (_, index) => letter({ text: `both ${index}` })),
      )
      await fixture.settled(service, 30)
      // One that stalled may have lost the mailbox to the other, and found out a moment later.
      await until(() => fixture.mail.sessions === 1)
      expect(new Set(await fixture.texts(service)).size).toBe(30)
      expect(await fixture.texts(service)).toHaveLength(30)
      await fixture.app.server.close()
      await deliver(fixture.mail, [letter({ text: 'to the other' })])
      const heard = "select count(*)::int as count from message where text = 'to the other'"
      await until(async () => (await second.server.database.query<{ count: number }>(heard))[0]!.count === 1)
      // The process of a session that has ended is there a moment longer.
      await until(() => fixture.mail.sessions === 1)
    } finally {
      await second.server.close()
    }
  })

  it('is read again after its server hangs', async () => {
    await deliver(fixture.mail, [letter({ text: 'before' })])
    await hears('before')
    fixture.mail.hang()
    await deliver(fixture.mail, [letter({ text: 'while it hangs' })])
    await hears('while it hangs')
    expect(await fixture.texts(service)).toEqual(['before', 'while it hangs'])
  })

  it('fails with its cause when its password changes, is asked ever less, and goes on with the new one', async () => {
    await deliver(fixture.mail, [letter({ text: 'before' })])
    await hears('before')
    fixture.mail.setPassword('another')
    fixture.mail.cutSessions()
    expect(await until(state, ({ status }) => status === 'failing')).toMatchObject({
      failure_code: 'CREDENTIALS',
      failure: expect.stringMatching(/^the server refuses the sign-in: .*Authentication failed/),
    })
    const [{ in_s: inS }] = (await fixture.app.server.database.query<{ in_s: number }>(
      'select extract(epoch from due_at - $2)::float8 as in_s from mailbox where service_id = $1',
      [service, fixture.app.clock.now()],
    )) as [{ in_s: number }]
    expect(inS).toBeGreaterThan(20)
    await deliver(fixture.mail, [letter({ text: 'while nobody may look' })])
    expect(await fixture.texts(service)).toEqual(['before'])
    await fixture.update(service, { params: fixture.params({ password: 'another' }) })
    await hears('while nobody may look')
    await until(state, ({ status, failure }) => status === 'active' && failure === null)
  })

  it('is read with new settings at once, and saved under another name without a new connection', async () => {
    await fixture.client.make('Orders')
    await fixture.client.put([letter({ text: 'an order' })], { folder: 'Orders' })
    const lease = async (): Promise<number> =>
      (
        await fixture.app.server.database.query<{ lease: number }>('select lease from mailbox where service_id = $1', [
          service,
        ])
      )[0]!.lease
    await until(lease, (number) => number === 1)
    await fixture.update(service, { name: 'Support' })
    await deliver(fixture.mail, [letter({ text: 'renamed' })])
    await hears('renamed')
    expect(await lease()).toBe(1)
    await fixture.update(service, { params: fixture.params({ folders: ['INBOX', 'Orders'] }) })
    await hears('an order')
    // A folder that is left out is not read any more.
    await fixture.update(service, { params: fixture.params({ folders: ['Orders'] }) })
    const current = 'select folder from mailbox_epoch where service_id = $1 and ended_at is null'
    await until(async () => {
      const rows = await fixture.app.server.database.query<{ folder: string }>(current, [service])
      return rows.length === 1 && rows[0]!.folder === 'Orders'
    })
    await fixture.client.put([letter({ text: 'another order' })], { folder: 'Orders' })
    await hears('another order')
  })

  it('is read no more once its service is switched off, and from where it was when it is on', async () => {
    await deliver(fixture.mail, [letter({ text: 'before' })])
    await hears('before')
    await fixture.update(service, { status: 'INACTIVE' })
    await until(() => fixture.mail.sessions === 0)
    await deliver(fixture.mail, [letter({ text: 'while it is off' })])
    await fixture.update(service, { status: 'ACTIVE' })
    await hears('while it is off')
    expect(await fixture.texts(service)).toEqual(['before', 'while it is off'])
  })

  it('is forgotten with its service, in the midst of it', async () => {
    const later = Array.from({ length: 120 }, (_, index) => letter({ text: `many ${index}` }))
    await fixture.client.put(later)
    await until(async () => (await fixture.entries(service)).some((each) => each.state === 'stored'))
    const { errors } = await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteService(id: $id) }', {
      id: service,
    })
    expect(errors).toBeUndefined()
    await until(() => fixture.mail.sessions === 0)
    for (const table of ['mailbox', 'mailbox_epoch', 'mailbox_entry']) {
      expect(await fixture.app.server.database.query(`select 1 from ${table}`)).toEqual([])
    }
    // Its address is free again.
    const next = await fixture.read({ since: new Date(fixture.app.clock.now().getTime() - 3_600_000).toISOString() })
    const entries = await fixture.settled(next, 120)
    expect(entries.every((each) => each.state === 'stored')).toBe(true)
  })

  it('says that a folder is missing, and that an address is not public', async () => {
    await fixture.update(service, { params: fixture.params({ folders: ['INBOX', 'Nowhere'] }) })
    const { failure } = await until(state, ({ failure_code: code }) => code === 'FOLDER')
    expect(failure).toContain('Nowhere')
    await fixture.update(service, {
      params: fixture.params({ port: fixture.mail.lmtpPort, password: MAILBOX.password }),
    })
    await until(state, ({ failure_code: code, status }) => code === 'TLS' && status === 'failing')
  })
})
