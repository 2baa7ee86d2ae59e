import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

const tls = (name: string): string => readFileSync(new URL(`./tls/loopback-${name}.pem`, import.meta.url), 'utf8')

export interface TokenMailServer {
  url: string
  /** Users and tokens that signed in, oldest first. */
  signIns: { user: string; token: string }[]
  mails: string[]
  /** Tokens that it takes. */
  valid: Set<string>
  close(): Promise<void>
}

/** A mail server on loopback that takes no passwords: XOAUTH2, after STARTTLS, with a certificate that the process trusts. */
export async function startTokenMailServer(): Promise<TokenMailServer> {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, tls('certificate')])
  const signIns: TokenMailServer['signIns'] = []
  const mails: string[] = []
  const valid = new Set<string>()
  const server = new SMTPServer({
    key: tls('key'),
    cert: tls('certificate'),
    authMethods: ['XOAUTH2'],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username = '', accessToken = '' }, _session, done) {
      signIns.push({ user: username, token: accessToken })
      if (valid.has(accessToken)) return done(null, { user: username })
      return done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } })
    },
    onData: (stream, _session, done) => void take(stream, done),
  })
  async function take(stream: SMTPServerDataStream, done: () => void): Promise<void> {
    mails.push(await text(stream))
    done()
  }

  server.on('error', () => undefined)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    signIns,
    mails,
    valid,
    close() {
      setDefaultCACertificates(trusted)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
