import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { hasDovecot } from '../../support/dovecot.js'
import { startTestServer } from '../../support/test-server.js'
import { until, untilPasses } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

const withDovecot = hasDovecot() ? describe : describe.skip

const lettersOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    letter({ text: `${name} ${index}`, from: `${name}.${index}@boats.example` }),
  )

const wordsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`)

withDovecot('a mailbox that is restored', () => {
  let fixture: MailboxFixture
  let service: string
  beforeEach(async () => {
    fixture = await startMailboxFixture()
    service = await fixture.read()
  })
  afterEach(() => fixture?.close())

  const texts = async (): Promise<(string | null)[]> => (await fixture.texts(service)).toSorted()
  const count = async (state: string): Promise<number> =>
    (await fixture.entries(service)).filter((each) => each.state === state).length
  const causes = (): Promise<{ why: string }[]> =>
    fixture.app.server.database.query('select why from mailbox_epoch where service_id = $1 order by began_at', [
      service,
    ])

  it('and numbered anew: what was read is known, and what is new is read (UIDVALIDITY)', async () => {
    const { client, mail } = fixture
    await deliver(mail, lettersOf('old', 40))
    // Some are appended by other programs, without lines about their way.
    await client.put(lettersOf('put', 10))
    await fixture.settled(service, 50)
    const before = await client.uidValidity()
    const kept = [...(await client.mails()).values()]
    await mail.stop()
    mail.empty()
    await mail.run()
    await client.put([...lettersOf('new', 6), ...kept])
    await deliver(mail, lettersOf('later', 4))
    await fixture.settled(service, 110)
    expect(await client.uidValidity()).not.toBe(before)
    expect(await texts()).toEqual(
      [...wordsOf('old', 40), ...wordsOf('put', 10), ...wordsOf('new', 6), ...wordsOf('later', 4)].toSorted(),
    )
    expect(await count('again')).toBe(50)
    expect((await causes()).map(({ why }) => why)).toEqual(['first', 'uidvalidity'])
  })

  it('and gives numbers out again, under one UIDVALIDITY: each new mail is read', async () => {
    const { client, mail } = fixture
    await deliver(mail, lettersOf('old', 25))
    await fixture.settled(service, 25)
    const before = await client.uidValidity()
    await mail.stop()
    mail.backUp('aside')
    await mail.run()
    await deliver(mail, lettersOf('lost', 30))
    await fixture.settled(service, 55)
    await mail.stop()
    mail.restore('aside')
    await mail.run()
    await deliver(mail, lettersOf('new', 35))
    await until(
      async () => (await texts()).filter((text) => text?.startsWith('new')).length,
      (found) => found === 35,
    )
    expect(await client.uidValidity()).toBe(before)
    expect(await texts()).toEqual([...wordsOf('old', 25), ...wordsOf('lost', 30), ...wordsOf('new', 35)].toSorted())
    expect((await causes()).map(({ why }) => why)[1]).toMatch(/^(?:uidnext|print)$/)
  })

  it('and has lower numbers than before, and nothing else: they are noticed before they are used again (UIDNEXT)', async () => {
    const { mail } = fixture
    await deliver(mail, lettersOf('old', 2))
    await fixture.settled(service, 2)
    await mail.stop()
    mail.backUp('aside')
    await mail.run()
    await deliver(mail, lettersOf('lost', 3))
    await fixture.settled(service, 5)
    await mail.stop()
    mail.restore('aside')
    await mail.run()
    await until(async () => (await causes()).some(({ why }) => why === 'uidnext'))
    await deliver(mail, lettersOf('new', 3))
    // Those of before are in the new numbering as well.
    await fixture.settled(service, 10)
    expect(await texts()).toEqual([...wordsOf('old', 2), ...wordsOf('lost', 3), ...wordsOf('new', 3)].toSorted())
  })

  it('as our database is: the mails of the time between are read again', async () => {
    const { mail } = fixture
    await deliver(mail, lettersOf('before', 12))
    await fixture.settled(service, 12)
    const { databaseUrl } = fixture.app
    // Nobody may be connected to what is copied.
    await fixture.app.server.close()
    const copy = await copyOf(databaseUrl)
    const original = await startTestServer({ DATABASE_URL: databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    const said = (server: typeof original): Promise<{ text: string }[]> =>
      server.server.database.query("select text from message where role = 'contact' order by text")
    try {
      await deliver(mail, lettersOf('between', 30))
      await until(
        () => said(original),
        (found) => found.length === 42,
      )
    } finally {
      await original.close()
    }
    const restored = await startTestServer({ DATABASE_URL: copy, WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    try {
      await until(
        () => said(restored),
        (found) => found.length === 42,
      )
      await deliver(mail, lettersOf('after', 2))
      const found = await until(
        () => said(restored),
        (each) => each.length === 44,
      )
      const expected = [...wordsOf('before', 12), ...wordsOf('between', 30), ...wordsOf('after', 2)]
      expect(found.map(({ text }) => text)).toEqual(expected.toSorted())
    } finally {
      await restored.close()
      await drop(copy)
    }
  })
})

/** Copies a database that nobody is connected to, as a backup does. @returns its address */
async function copyOf(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1)
  const copy = new URL(url)
  copy.pathname = `/${name}_copy`
  // Its sessions may be ending still.
  await untilPasses(() => administrate(`create database ${name}_copy template ${name}`))
  return copy.href
}

const drop = (url: string): Promise<void> =>
  administrate(`drop database ${new URL(url).pathname.slice(1)} with (force)`)

async function administrate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
