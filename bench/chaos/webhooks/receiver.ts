import { createHmac } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

/**
 * The receiver of `chaos-webhooks.ts`, in a process of its own to be killed. What it takes is on disk before it says
 * so, a line for each: id of the event and of its conversation, a hash of the bytes, whether the signature is right.
 */
const { PORT, JOURNAL, SECRET } = process.env as { PORT: string; JOURNAL: string; SECRET: string }

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method === 'GET') {
      response.end(new URL(request.url!, 'http://receiver').searchParams.get('challenge'))
      return
    }
    const body = Buffer.concat(chunks)
    const signature = createHmac('sha1', SECRET).update(body).digest('hex')
    const isSigned = request.headers['x-hub-signature'] === `sha1=${signature}`
    const { id, data } = JSON.parse(body.toString()) as { id: string; data: { conversation: { id: string } } }
    const line = { id, conversation: data.conversation.id, bytes: signature, isSigned }
    appendFileSync(JOURNAL, `${JSON.stringify(line)}\n`)
    response.writeHead(204).end()
  })
}).listen(Number(PORT), '127.0.0.1')
