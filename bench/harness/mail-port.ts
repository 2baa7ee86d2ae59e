import { freePort } from '../chaos/free-port.js'

/** Nothing answers here: names in mails are made up. */
const NOWHERE = '127.0.0.1:1'

/** Settings of a server that takes mail, and where it does. */
export async function listenForMail(): Promise<{ port: number; settings: Record<string, string> }> {
  const port = await freePort()
  return {
    port,
    settings: { SMTP_LISTEN_PORT: String(port), SMTP_LISTEN_HOST: '127.0.0.1', DNS_SERVERS: NOWHERE },
  }
}
