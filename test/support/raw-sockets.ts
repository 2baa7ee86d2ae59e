import { connect, type Socket } from 'node:net'

/** Connections as an attacker opens them, from any address of the loopback network. */
export class RawSockets {
  readonly #sockets = new Set<Socket>()

  /** @param to the server's URL or port */
  open(to: string | number, localAddress = '127.0.0.1'): Socket {
    const port = typeof to === 'number' ? to : Number(new URL(to).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }

  /** Everything that the socket receives from now on. */
  static textOf(socket: Socket): () => string {
    let text = ''
    socket.on('data', (data) => (text += data.toString('latin1')))
    return () => text
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
