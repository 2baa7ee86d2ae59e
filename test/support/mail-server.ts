import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface MailServer {
  url: string
  /** Whole messages as they were sent, oldest first. */
  mails: { to: string; body: string }[]
  /** Refuses the next mails for the moment (451). */
  refuse(count: number): void
  close(): Promise<void>
}

/** Speaks as much SMTP as a client needs to hand over a mail. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  let refusals = 0
  const sockets = new Set<Socket>()

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let to = ''
    let body: string[] | null = null
    let buffered = ''
    const say = (line: string) => socket.write(`${line}\r\n`)

    function read(line: string): void {
      if (body && line !== '.') {
        body.push(line)
      } else if (body) {
        mails.push({ to, body: body.join('\n') })
        body = null
        say('250 taken')
      } else if (/^(EHLO|HELO|RSET)/i.test(line)) {
        say('250 at your service')
      } else if (/^MAIL/i.test(line)) {
        say(refusals-- > 0 ? '451 come back later' : '250 go on')
      } else if (/^RCPT/i.test(line)) {
        to = /<(.*)>/.exec(line)![1]!
        say('250 go on')
      } else if (/^DATA/i.test(line)) {
        body = []
        say('354 send it')
      } else {
        say('221 bye')
        socket.end()
      }
    }

    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      const lines = (buffered + chunk).split('\r\n')
      buffered = lines.pop()!
      lines.forEach(read)
    })
    say('220 a stand-in')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuse: (count) => void (refusals = count),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
