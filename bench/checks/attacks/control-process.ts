import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { serve } from '../../harness/processes.js'

/** An answer to everything, in which a guest finds what it asks for. */
const ANSWER = JSON.stringify({ data: { startGuestSession: { tokens: { token: 'x' }, conversationId: 'x' } } })
/** The lines of a mail before its content. */
const SMTP_LINES = 4

/** A bare server that takes whatever an attacker sends, and does nothing with it. */
serve({
  async start(): Promise<{ url: string; smtpPort: number }> {
    const http = createServer(discard)
    new WebSocketServer({ server: http }).on('connection', (socket) =>
      socket
        .on('error', () => undefined)
        .on('message', (data) => {
          const { id } = JSON.parse(String(data)) as { id?: string }
          socket.send(id === undefined ? '{"type":"connection_ack"}' : `{"id":"${id}","type":"next"}`)
        }),
    )
    const smtpPort = await portOf(createTcpServer(takeMail))
    return { url: `http://127.0.0.1:${await portOf(http)}`, smtpPort }
  },
})

function discard(request: IncomingMessage, response: ServerResponse): void {
  request
    .on('error', () => undefined)
    .resume()
    .once('end', () => response.setHeader('content-type', 'application/json').end(ANSWER))
}

function takeMail(socket: Socket): void {
  let lines = 0
  socket.on('error', () => undefined).on('data', () => (lines += 1) <= SMTP_LINES && socket.write('250 ok\r\n'))
  socket.write('220 control\r\n')
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
