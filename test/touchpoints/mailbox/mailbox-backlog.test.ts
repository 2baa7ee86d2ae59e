import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

const MAILS = 200
const CUTS = 4

const withDovecot = hasDovecot() ? describe : describe.skip

withDovecot('a server that cuts each connection after some mails', () => {
  let fixture: MailboxFixture
  beforeAll(async () => {
    fixture = await startMailboxFixture()
  })
  afterAll(() => fixture?.close())

  it('is asked again soon each time: what went wrong before a mail was read is over', async () => {
    const sql = fixture.app.server.database
    const failures = async (): Promise<number> => {
      const [mailbox] = await sql.query<{ failures: number }>('select failures from mailbox')
      return mailbox!.failures
    }
    const settled = async (): Promise<number> => {
      const [found] = await sql.query<{ count: number }>(
        "select count(*)::int as count from mailbox_entry where state <> 'listed'",
      )
      return found!.count
    }
    const service = await fixture.read()
    await until(async () => (await sql.query('select 1 from mailbox_epoch')).length > 0)
    const delivered = deliver(
      fixture.mail,
      Array.from({ length: MAILS }, () => letter()),
    )
    for (let cut = 0; cut < CUTS; cut++) {
      const before = await settled()
      await until(async () => (await settled()) > before)
      fixture.mail.cutSessions()
      expect([cut, await until(failures)]).toEqual([cut, 1])
      await until(async () => (await failures()) === 0)
    }
    await delivered
    const entries = await fixture.settled(service, MAILS)
    expect(entries.map(({ state }) => state)).toEqual(Array.from({ length: MAILS }, () => 'stored'))
  })
})
