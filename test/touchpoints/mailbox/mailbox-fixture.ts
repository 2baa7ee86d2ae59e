import { Dovecot, MAILBOX } from '../../support/dovecot.js'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture } from '../provider-fixture.js'
import { MailClient, trustLoopback } from './mail-client.js'

export interface Entry {
  uid: number
  folder: string
  state: string
  reason: string | null
  message_id: string | null
}

/** A server that reads a mailbox of a real IMAP server. */
export interface MailboxFixture extends ProviderFixture {
  mail: Dovecot
  client: MailClient
  /** Params of a service for the mailbox. */
  params(more?: object): object
  /** Creates a service that reads it. @returns its id */
  read(more?: object): Promise<string>
  update(service: string, patch: object): Promise<void>
  /** Entries of the ledger, in the order in which they were listed. */
  entries(service: string): Promise<Entry[]>
  /** Waits until so many mails are settled, and none is open. */
  settled(service: string, count: number): Promise<Entry[]>
  /** Texts of a service's messages, oldest first. */
  texts(service: string): Promise<(string | null)[]>
  close(): Promise<void>
}

export const ADDRESS = 'support@harbour.example'

export function mailboxParams({ port }: Pick<Dovecot, 'port'>, more: object = {}): Record<string, unknown> {
  return {
    address: ADDRESS,
    host: '127.0.0.1',
    port,
    user: MAILBOX.user,
    password: MAILBOX.password,
    ...more,
  }
}

export async function startMailboxFixture(
  env: Record<string, string> = {},
  overrides: Parameters<typeof startProviderFixture>[1] = {},
): Promise<MailboxFixture> {
  const distrust = trustLoopback()
  const mail = await Dovecot.start()
  const client = new MailClient(mail)
  const fixture = await startProviderFixture(env, { pace: 10, ...overrides })
  const sql = fixture.app.server.database
  const entries = (service: string): Promise<Entry[]> =>
    sql.query<Entry>(
      `select e.uid::int as uid, p.folder, e.state, e.reason, e.message_id from mailbox_entry e
       join mailbox_epoch p on p.id = e.epoch_id where e.service_id = $1 order by p.began_at, e.uid`,
      [service],
    )
  return {
    ...fixture,
    mail,
    client,
    params: (more) => mailboxParams(mail, more),
    read: (more) => fixture.makeService('mailbox', mailboxParams(mail, more)),
    async update(service, patch) {
      const { errors } = await fixture.app.gql(
        fixture.admin,
        'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }',
        { id: service, patch },
      )
      if (errors) throw new Error(errors[0]!.message)
    },
    entries,
    settled: (service, count) =>
      until(
        () => entries(service),
        (found) => found.length >= count && found.every(({ state }) => state !== 'listed'),
      ),
    async texts(service) {
      return (await fixture.receivedBy(service)).map(({ text }) => text)
    },
    async close() {
      await fixture.app.close()
      await mail.close()
      distrust()
    },
  }
}
