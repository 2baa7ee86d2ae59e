import pg from 'pg'
import { freePort } from '../../../bench/chaos/free-port.js'
import { Victim } from '../../../bench/chaos/victim.js'
import { makeDatabase } from '../../support/database.js'
import { Dovecot, LOOPBACK_TLS } from '../../support/dovecot.js'
import { OWNER, runAt, signInAt } from '../../support/main-process.js'
import { until } from '../../support/until.js'
import { deliver, letter } from './mail-client.js'
import { mailboxParams, startMailboxFixture } from './mailbox-fixture.js'

/** Came of mails that arrived while their reader, or the sessions of their server, were killed. */
export interface KillFigures {
  mails: number
  kills: number
  /** Mails of which no message was made. */
  lost: number
  /** Messages that a mail has made beside its first. */
  twice: number
  /** Mails that the ledger does not call stored. */
  unnamed: number
  /** Mails whose reading was begun again: they show that the kills came in the midst of it. */
  begunAgain: number
  seconds: number
}

interface Counted {
  texts: (string | null)[]
  entries: { state: string; tries: number }[]
}

const TEXTS = "select text from message where role = 'contact'"
const ENTRIES = 'select state, tries from mailbox_entry'
const SETTLED = "select count(*)::int as count from mailbox_entry where state <> 'listed'"

/** Reads the ledger before the messages: whatever it calls stored by then has its message. */
async function counted(query: <Row extends object>(text: string) => Promise<Row[]>): Promise<Counted> {
  const entries = await query<Counted['entries'][number]>(ENTRIES)
  const texts = await query<{ text: string | null }>(TEXTS)
  return { entries, texts: texts.map(({ text }) => text) }
}

/** Kills the process of a server that reads a mailbox, again and again while mails come in; it is started anew each time. */
export async function killReader({ mails, kills }: { mails: number; kills: number }): Promise<KillFigures> {
  const mail = await Dovecot.start()
  const made = await makeDatabase()
  const database = new pg.Client({ connectionString: made.url })
  await database.connect()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = new Victim(
    'test/support/node-process.mjs',
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: made.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      NODE_EXTRA_CA_CERTS: LOOPBACK_TLS.certificate,
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
    },
    `${url}/readyz`,
  )
  const query = async <Row extends object>(text: string): Promise<Row[]> => (await database.query<Row>(text)).rows
  try {
    await server.start()
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    await runAt(url, create, { input: { type: 'mailbox', params: mailboxParams(mail) } }, await signInAt(url))
    // What comes before the first look is not the service's.
    await until(async () => (await query('select 1 from mailbox_epoch')).length > 0)
    return await during(
      { mails, kills },
      {
        deliver: (raw) => deliver(mail, raw),
        settled: async () => (await query<{ count: number }>(SETTLED))[0]!.count,
        counted: () => counted(query),
        async kill() {
          await server.kill()
          await server.start()
        },
      },
    )
  } finally {
    await server.kill()
    await database.end()
    await made.drop()
    await mail.close()
  }
}

/** Kills the sessions of the mailbox's server, again and again while mails come in. */
export async function killSessions({ mails, kills }: { mails: number; kills: number }): Promise<KillFigures> {
  const fixture = await startMailboxFixture()
  const { database } = fixture.app.server
  try {
    await fixture.read()
    await until(async () => (await database.query('select 1 from mailbox_epoch')).length > 0)
    return await during(
      { mails, kills },
      {
        deliver: (raw) => deliver(fixture.mail, raw),
        settled: async () => (await database.query<{ count: number }>(SETTLED))[0]!.count,
        counted: () => counted((text) => database.query(text)),
        async kill() {
          fixture.mail.cutSessions()
        },
      },
    )
  } finally {
    await fixture.close()
  }
}

interface Victims {
  deliver(mails: readonly string[]): Promise<void>
  /** Number of mails that were dealt with. */
  settled(): Promise<number>
  counted(): Promise<Counted>
  kill(): Promise<void>
}

/** Waits until so many mails were dealt with: of hundreds, as long as it goes on. */
async function reach({ settled }: Victims, count: number): Promise<void> {
  for (let least = await settled(); least < count;) {
    least = Math.min(count, least + 20)
    await until(async () => (await settled()) >= least)
  }
}

async function during({ mails, kills }: { mails: number; kills: number }, victims: Victims): Promise<KillFigures> {
  const began = performance.now()
  const texts = Array.from({ length: mails }, (_, index) => `mail ${index}`)
  const share = Math.ceil(mails / kills)
  for (let kill = 0; kill < kills; kill += 1) {
    const own = texts.slice(kill * share, (kill + 1) * share).map((text) => letter({ text }))
    const before = await victims.settled()
    const delivered = victims.deliver(own)
    // Earlier and later within what has come, so that each moment of the reading is hit.
    const some = 1 + ((kill * 7) % Math.max(1, own.length - 4))
    await reach(victims, before + some)
    await victims.kill()
    await delivered
  }
  await reach(victims, mails)
  const { texts: stored, entries } = await until(
    () => victims.counted(),
    (found) => found.entries.length >= mails && found.entries.every(({ state }) => state !== 'listed'),
  )
  const distinct = new Set(stored)
  return {
    mails,
    kills,
    lost: texts.filter((text) => !distinct.has(text)).length,
    twice: stored.length - distinct.size,
    unnamed: entries.filter(({ state }) => state !== 'stored').length + Math.abs(entries.length - mails),
    begunAgain: entries.filter(({ tries }) => tries > 1).length,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  }
}
