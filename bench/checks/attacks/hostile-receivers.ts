import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers of receivers of webhooks that harm a server which delivers to them. */
const ANSWERS: readonly ((response: ServerResponse) => void)[] = [
  // Nothing at all.
  () => undefined,
  // A byte at a time, without an end.
  (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 500)
    response.once('close', () => clearInterval(timer))
  },
  // As much as is read.
  (response) => {
    const chunk = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response
      .writeHead(200)
      .on('drain', more)
      .on('error', () => undefined)
    more()
  },
  (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  (response) => response.destroy(),
  (response) => response.writeHead(500, { 'retry-after': '0', 'x-wide': 'x'.repeat(14_000) }).end('no'),
]

/** @returns the address of each, in turns of one kind after the other */
export function openHostileReceivers(count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const answer = ANSWERS[index % ANSWERS.length]!
      const server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    }),
  )
}
