import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ImapFlow } from 'imapflow'
import nodemailer from 'nodemailer'
import { LOOPBACK_TLS, MAILBOX, type Dovecot } from '../../support/dovecot.js'
import { until } from '../../support/until.js'

/** Trusts the certificate of servers on loopback, in this process. @returns what ends that */
export function trustLoopback(): () => void {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, readFileSync(LOOPBACK_TLS.certificate, 'utf8')])
  return () => setDefaultCACertificates(trusted)
}

export interface Letter {
  id?: string
  from?: string
  date?: string
  subject?: string
  text?: string
  /** Further header lines. */
  head?: string[]
  /** In place of the text: everything behind the head. */
  body?: string
}

let letters = 0

/** A mail as its sender's program writes it. */
export function letter({ id, from, date, subject, text, head = [], body }: Letter = {}): string {
  const number = ++letters
  return [
    `Message-ID: <${id ?? `letter-${number}@boats.example`}>`,
    `From: ${from ?? `Carl ${number} <carl.${number}@boats.example>`}`,
    'To: Support <support@harbour.example>',
    `Date: ${date ?? 'Fri, 27 Nov 2026 10:00:00 +0000'}`,
    `Subject: ${subject ?? `Letter ${number}`}`,
    ...head,
    ...(body === undefined ? ['Content-Type: text/plain; charset=utf-8'] : []),
    ...(body === undefined ? ['', text ?? `Text ${number}`] : [body]),
    '',
  ].join('\r\n')
}

/** Another program that looks into the mailbox, such as that of a colleague. */
export class MailClient {
  constructor(private readonly server: Pick<Dovecot, 'plainPort'>) {}

  /** Puts mails into a folder, as they are. @returns their numbers */
  put(
    mails: readonly string[],
    { folder = 'INBOX', at, flags = [] }: { folder?: string; at?: Date; flags?: string[] } = {},
  ): Promise<number[]> {
    return this.#during(async (client) => {
      const uids: number[] = []
      for (const mail of mails) {
        const stored = await client.append(folder, mail, flags, at)
        if (!stored || stored.uid === undefined) throw new Error('not stored')
        uids.push(stored.uid)
      }
      return uids
    })
  }

  async make(folder: string): Promise<void> {
    await this.#during((client) => client.mailboxCreate(folder))
  }

  async drop(folder: string): Promise<void> {
    await this.#during((client) => client.mailboxDelete(folder))
  }

  async rename(folder: string, to: string): Promise<void> {
    await this.#during((client) => client.mailboxRename(folder, to))
  }

  async remove(uids: readonly number[], folder = 'INBOX'): Promise<void> {
    await this.#during(async (client) => {
      await client.mailboxOpen(folder)
      await client.messageDelete(uids.join(','), { uid: true })
    })
  }

  /** Flags of all mails, by number. */
  flags(folder = 'INBOX'): Promise<Map<number, string[]>> {
    return this.#during(async (client) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true })
      const found = exists === 0 ? [] : await client.fetchAll('1:*', { uid: true, flags: true })
      return new Map(found.map(({ uid, flags }) => [uid, [...(flags ?? [])]]))
    })
  }

  /** Whole mails of a folder, by number. */
  mails(folder = 'INBOX'): Promise<Map<number, string>> {
    return this.#during(async (client) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true })
      const found = exists === 0 ? [] : await client.fetchAll('1:*', { uid: true, source: true })
      return new Map(found.map(({ uid, source }) => [uid, source!.toString()]))
    })
  }

  uidValidity(folder = 'INBOX'): Promise<number> {
    return this.#during(async (client) => Number((await client.mailboxOpen(folder, { readOnly: true })).uidValidity))
  }

  async #during<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: this.server.plainPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user: MAILBOX.user, pass: MAILBOX.password },
      logger: false,
      disableAutoIdle: true,
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await work(client)
    } finally {
      client.close()
    }
  }
}

/** Hands a mail to the mailbox's server as other mail servers do: it adds lines about the way. */
export async function deliver(server: Dovecot, mails: readonly string[]): Promise<void> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: server.lmtpPort,
    lmtp: true,
    pool: true,
    maxConnections: 1,
    ignoreTLS: true,
  } as never)
  try {
    for (const raw of mails) {
      const [, from = ''] = /^From: .*?([^\s<>]+@[^\s<>]+)/m.exec(raw) ?? []
      await until(async () => {
        try {
          await transport.sendMail({ envelope: { from, to: [`${MAILBOX.user}@harbour.example`] }, raw })
          return true
        } catch (error) {
          // Its process ended before the greeting, as one that is about to be replaced does: other mail servers come back.
          if ((error as { command?: string }).command !== 'CONN') throw error
          return false
        }
      })
    }
  } finally {
    transport.close()
  }
}
