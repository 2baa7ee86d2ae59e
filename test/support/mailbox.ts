import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { until } from './until.js'

export interface Arrived {
  from: string
  to: string[]
  raw: string
  email: Email
}

type Done = (error?: Error | null) => void
type Step = 'connect' | 'mail' | 'rcpt' | 'data'

/** A mail server on loopback: the far side of whatever is sent. */
export interface Mailbox {
  url: string
  /** Oldest first. */
  mails: Arrived[]
  /** Returns the number of connections that were made. */
  connections(): number
  /** Answers the next command of that kind with a code, perhaps with words after it, or cuts the connection there. */
  next(step: Step, what: number | `${number} ${string}` | 'cut'): void
  /** Waits until so many mails have come. */
  wait(count: number): Promise<Arrived[]>
  close(): Promise<void>
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: Arrived[] = []
  const planned = new Map<Step, (number | string)[]>()
  let connections = 0

  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, done) => {
      connections++
      answer('connect', session.id, done)
    },
    onMailFrom: (_address, session, done) => answer('mail', session.id, done),
    onRcptTo: (_address, session, done) => answer('rcpt', session.id, done),
    onData: (stream, session, done) => void take(stream, session, done),
  })
  server.on('error', () => undefined)

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    const raw = await text(stream)
    const email = await PostalMime.parse(raw)
    answer('data', session.id, (error) => {
      const { mailFrom, rcptTo } = session.envelope
      if (!error)
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw, email })
      done(error)
    })
  }

  function answer(step: Step, session: string, done: Done): void {
    const what = planned.get(step)?.shift()
    if (what === 'cut') {
      for (const connection of server.connections) if (connection.id === session) connection._socket.destroy()
      return
    }
    if (what === undefined) return done(null)
    const [, code, words = 'as the test wants it'] = /^(\d+)(?: (.*))?$/.exec(String(what))!
    done(Object.assign(new Error(words), { responseCode: Number(code) }))
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    connections: () => connections,
    next: (step, what) => void planned.set(step, [...(planned.get(step) ?? []), what]),
    async wait(count) {
      await until(
        () => mails.length,
        (come) => come >= count,
      )
      return mails
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
