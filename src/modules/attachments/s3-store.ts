import { AwsV4Signer } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/db/clock.js'
import { Unavailable } from '../../platform/errors.js'
import { tracing } from '../../platform/tracing/tracing.js'
import type { AttachmentStore } from './attachment-store.js'
import type { ReceivedFile } from './upload-spool.js'

/** A request is aborted when no data moves for this long, or when its answer has not begun after that. */
const TIMES = { idleMs: 30_000, answerMs: 30_000, uploadMs: 300_000 }
/** All that is read of an answer that has no content: its connection is not used again if there is more. */
const ANSWER_BYTES_MAX = 16_384
/** The name of an error in the XML of an answer. The rest is not read: it may repeat what was signed, and be anything. */
const ERROR_CODE = /<Code>\s*([A-Za-z][\w.]{0,59})\s*<\/Code>/
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** A bucket of an S3-compatible store, addressed by path as AWS, MinIO, Ceph and others allow. */
export interface S3Bucket {
  accessKey: string
  secretKey: string
  region: string
  /** URL with the bucket and the prefix of all keys, without a trailing slash. */
  base: string
}

/**
 * @param setting `https://KEY:SECRET@host/bucket/prefix?region=eu-west-1`; the prefix is optional, the region defaults
 *   to `us-east-1`
 * @throws Error that names the missing part but not the value, which contains a secret
 */
export function parseS3Url(setting: string): S3Bucket {
  const url = new URL(setting)
  const [bucket] = url.pathname.split('/').filter(Boolean)
  if (!url.username || !url.password || !bucket) {
    throw new Error('S3_URL must have an access key, a secret key and a bucket: https://KEY:SECRET@host/bucket')
  }
  return {
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
  }
}

export interface S3StoreOptions {
  bucket: S3Bucket
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'error'>
  /** Milliseconds; those above unless set. */
  times?: typeof TIMES
}

/** Stores attachments as objects of a bucket, so that nodes need no shared disk. */
export class S3Store implements AttachmentStore {
  constructor(private readonly options: S3StoreOptions) {}

  async keep(id: string, { path, size, sha256, type }: ReceivedFile): Promise<void> {
    const headers = { 'content-length': String(size), 'content-type': type }
    const response = await this.#send('PUT', id, { headers, sha256, body: createReadStream(path) })
    if (!isSuccess(response)) throw await this.#refused('PUT', response)
    void this.#beginningOf(response)
  }

  async read(id: string, size: number): Promise<Readable> {
    const response = await this.#send('GET', id)
    if (!isSuccess(response)) throw await this.#refused('GET', response)
    const length = response.headers['content-length']
    if (length === undefined || Number(length) === size)
      return Readable.from(exactly(response, size), { objectMode: false })
    response.destroy()
    return this.#fail('GET', new Error(`the store has ${length} bytes in place of ${size}`))
  }

  async remove(id: string): Promise<void> {
    const response = await this.#send('DELETE', id)
    if (!isSuccess(response) && response.statusCode !== 404) throw await this.#refused('DELETE', response)
    void this.#beginningOf(response)
  }

  /** Logs the store's error. Whatever it is, it is the operator's to mend, and worth a retry. */
  async #refused(method: string, response: IncomingMessage): Promise<Error> {
    const [, code = 'no code'] = ERROR_CODE.exec(await this.#beginningOf(response)) ?? []
    this.options.log.error({ method, status: response.statusCode, code }, 'the store of attachments refuses')
    return new Unavailable('the store of attachments is temporarily unavailable; retry')
  }

  /** Reads an answer without content: a bounded part of it, in a bounded time. */
  async #beginningOf(response: IncomingMessage): Promise<string> {
    const end = setTimeout(() => response.destroy(), this.#times.answerMs)
    let text = ''
    try {
      for await (const chunk of response.setEncoding('latin1')) {
        text += chunk as string
        if (text.length > ANSWER_BYTES_MAX) break
      }
    } catch {
      // It ended half way.
    } finally {
      clearTimeout(end)
    }
    return text.slice(0, ANSWER_BYTES_MAX)
  }

  /** Logs of an error what it says: it may hold what the store sent. @throws Unavailable always */
  #fail(method: string, { message: reason }: Error): never {
    this.options.log.error({ method, reason }, 'the store of attachments cannot be reached')
    throw new Unavailable('the store of attachments is temporarily unreachable; retry')
  }

  get #times(): typeof TIMES {
    return this.options.times ?? TIMES
  }

  /** @throws Unavailable when the store cannot be reached */
  async #send(
    method: string,
    id: string,
    content: Content = { headers: {}, sha256: EMPTY_SHA256 },
  ): Promise<IncomingMessage> {
    const url = new URL(`${this.options.bucket.base}/${id}`)
    const signed = await this.#signedHeaders(method, url, content)
    return tracing().outgoing(
      method,
      url,
      (trace) => this.#exchange(method, url, { ...signed, ...trace }, content.body),
      ({ statusCode }) => statusCode,
    )
  }

  #exchange(
    method: string,
    url: URL,
    headers: Record<string, string>,
    body: ReadStream | undefined,
  ): Promise<IncomingMessage> {
    const { idleMs, answerMs, uploadMs } = this.#times
    return new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const request = send(url, { method, headers, timeout: idleMs })
      const abort = (ms: number): void => void request.destroy(new Error(`no answer within ${ms} ms`))
      // Counts what comes before an answer as well, such as one `100 Continue` after another.
      const end = setTimeout(abort, body ? uploadMs : answerMs, body ? uploadMs : answerMs)
      request.on('timeout', () => abort(idleMs))
      request.on('error', (error) => {
        body?.destroy()
        reject(error)
      })
      request.on('close', () => clearTimeout(end))
      request.on('response', (response) => {
        const isSent = !body || body.bytesRead === Number(headers['content-length'])
        if (isSent) clearTimeout(end)
        response.on('error', () => undefined)
        if (!isSuccess(response) || isSent) return resolve(response)
        request.destroy(new Error('answered before it had read the content'))
      })
      if (!body) request.end()
      // The request reports its own errors; those of the file arrive here.
      else pipeline(body, request).catch((error: Error) => request.destroy(error))
    }).catch((error: Error) => this.#fail(method, error))
  }

  async #signedHeaders(method: string, url: URL, content: Content): Promise<Record<string, string>> {
    const { bucket, clock } = this.options
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...content.headers, 'x-amz-content-sha256': content.sha256 },
      accessKeyId: bucket.accessKey,
      secretAccessKey: bucket.secretKey,
      service: 's3',
      region: bucket.region,
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ''),
    })
    const { headers } = await signer.sign()
    return Object.fromEntries(headers)
  }
}

interface Content {
  headers: Record<string, string>
  /** SHA-256 of the body, hexadecimal. */
  sha256: string
  body?: ReadStream
}

/** @throws Error after another number of bytes: what the client was told would be wrong */
async function* exactly(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size
  for await (const chunk of chunks) {
    left -= chunk.length
    if (left < 0) break
    yield chunk
  }
  if (left !== 0) throw new Error(`the store of attachments sent ${left < 0 ? 'more' : 'fewer'} than ${size} bytes`)
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}
