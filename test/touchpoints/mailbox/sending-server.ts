import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { LOOPBACK_TLS, MAILBOX } from '../../support/dovecot.js'

export interface SentMail {
  from: string
  to: string[]
  raw: string
  email: Email
}

/** The mail server of the mailbox's account, for sending: with STARTTLS and a password. */
export interface SendingServer {
  port: number
  mails: SentMail[]
  /** Takes the next mail, and cuts the connection before it says so. */
  cutNext(): void
  /** Answers to recipients that are refused, by address: 5… for good, 4… for now. */
  refused: Map<string, number>
  /** Called with each mail that it takes, before it says so. */
  onTaken: ((mail: SentMail) => Promise<void>) | null
  password: string
  close(): Promise<void>
}

export async function startSendingServer(): Promise<SendingServer> {
  let cuts = 0
  const server: SMTPServer = new SMTPServer({
    key: readFileSync(LOOPBACK_TLS.key),
    cert: readFileSync(LOOPBACK_TLS.certificate),
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === MAILBOX.user && password === sending.password) return done(null, { user: username })
      return done(new Error('wrong password'))
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = sending.refused.get(address)
      return responseCode ? done(Object.assign(new Error(`not ${address}`), { responseCode })) : done()
    },
    onData: (stream, session, done) => void take(stream, session, done),
  })
  server.on('error', () => undefined)
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, done: () => void): Promise<void> {
    const raw = await text(stream)
    const { mailFrom, rcptTo } = session.envelope
    const from = mailFrom ? mailFrom.address : ''
    const mail = { from, to: rcptTo.map(({ address }) => address), raw, email: await PostalMime.parse(raw) }
    sending.mails.push(mail)
    await sending.onTaken?.(mail)
    if (cuts === 0) return done()
    cuts -= 1
    for (const connection of server.connections) if (connection.id === session.id) connection._socket.destroy()
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const sending: SendingServer = {
    port: (server.server.address() as AddressInfo).port,
    mails: [],
    cutNext: () => void (cuts += 1),
    refused: new Map(),
    onTaken: null,
    password: MAILBOX.password,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return sending
}
