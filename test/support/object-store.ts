import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ObjectStore {
  /** As `S3_URL` takes it. */
  url: string
  /** By path, `/bucket/prefix/id`. */
  objects: Map<string, { bytes: Buffer; type: string }>
  /** Requests so far, as `PUT /bucket/…`. */
  requests: string[]
  /** Answers the next requests with this status instead. */
  fail(status: number, times: number): void
  close(): Promise<void>
}

const ACCESS_KEY = 'the key'
const SECRET_KEY = 'a/secret+of=signs'

/**
 * Speaks as much of S3 as a client needs to keep objects, and checks of each request what a real one checks: its date,
 * its credential, that the headers named are there and that the body is the one that was signed.
 */
export async function startObjectStore(now: () => Date): Promise<ObjectStore> {
  const objects: ObjectStore['objects'] = new Map()
  const requests: string[] = []
  let failures = 0
  let failure = 500
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.concat((await request.toArray()) as Buffer[])
    const { method = '', url: path = '' } = request
    requests.push(`${method} ${path}`)
    const answer = (status: number, body: Buffer | string = '', headers: Record<string, string> = {}): void =>
      void response.writeHead(status, headers).end(body)
    if (failures-- > 0) return answer(failure, '<Error><Code>SlowDown</Code></Error>')
    const problem = problemOf(request, bytes, now())
    if (problem) return answer(403, `<Error><Code>${problem}</Code></Error>`)
    const stored = objects.get(path)
    if (method === 'PUT') {
      objects.set(path, { bytes, type: request.headers['content-type'] ?? '' })
      return answer(200)
    }
    if (method === 'DELETE') {
      objects.delete(path)
      return answer(204)
    }
    return stored
      ? answer(200, stored.bytes, { 'content-type': stored.type })
      : answer(404, '<Error><Code>NoSuchKey</Code></Error>')
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const credentials = `${encodeURIComponent(ACCESS_KEY)}:${encodeURIComponent(SECRET_KEY)}`
  return {
    url: `http://${credentials}@127.0.0.1:${port}/bucket/some%20prefix/?region=nl-1`,
    objects,
    requests,
    fail: (status, times) => ([failure, failures] = [status, times]),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function problemOf({ headers }: IncomingMessage, bytes: Buffer, now: Date): string | null {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const match = /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=(.+), Signature=[0-9a-f]{64}$/.exec(
    headers.authorization ?? '',
  )
  if (!match) return 'InvalidArgument'
  if (match[1] !== `${ACCESS_KEY}/${day}/nl-1/s3/aws4_request`) return 'InvalidAccessKeyId'
  const signed = match[2]!.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return 'AccessDenied'
  if (signed.some((name) => headers[name] === undefined)) return 'SignatureDoesNotMatch'
  if (!String(headers['x-amz-date']).startsWith(`${day}T`)) return 'RequestTimeTooSkewed'
  const isSame = headers['x-amz-content-sha256'] === createHash('sha256').update(bytes).digest('hex')
  return isSame ? null : 'XAmzContentSHA256Mismatch'
}
