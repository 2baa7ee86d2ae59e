import { AwsV4Signer } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import { Unavailable } from '../errors.js'
import { tracing } from '../tracing/tracing.js'
import type { AttachmentStore } from './attachment-store.js'
import type { ReceivedFile } from './upload-spool.js'

/** A request is aborted when no data moves for this long. */
const IDLE_MS = 30_000
const ERROR_CHARS_MAX = 2_000
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
}

/** Stores attachments as objects of a bucket, so that nodes need no shared disk. */
export class S3Store implements AttachmentStore {
  constructor(private readonly options: S3StoreOptions) {}

  async keep(id: string, { path, size, sha256, type }: ReceivedFile): Promise<void> {
    const headers = { 'content-length': String(size), 'content-type': type }
    const response = await this.#send('PUT', id, { headers, sha256, body: createReadStream(path) })
    if (!isSuccess(response)) throw await this.#refused('PUT', response)
    response.resume()
  }

  async read(id: string): Promise<Readable> {
    const response = await this.#send('GET', id)
    if (!isSuccess(response)) throw await this.#refused('GET', response)
    return response
  }

  async remove(id: string): Promise<void> {
    const response = await this.#send('DELETE', id)
    if (!isSuccess(response) && response.statusCode !== 404) throw await this.#refused('DELETE', response)
    response.resume()
  }

  /** Logs the store's error; a busy store gives an error that is worth a retry. */
  async #refused(method: string, response: IncomingMessage): Promise<Error> {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      if (text.length < ERROR_CHARS_MAX) text += chunk as string
    }
    const status = response.statusCode ?? 0
    const excerpt = text.slice(0, ERROR_CHARS_MAX)
    const error = new Error(`the store of attachments answered ${method} with ${status}: ${excerpt}`)
    if (status !== 429 && status < 500) return error
    this.options.log.error({ err: error }, 'the store of attachments is not available')
    return new Unavailable('the store of attachments is temporarily unavailable; retry')
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
    body: Readable | undefined,
  ): Promise<IncomingMessage> {
    const { log } = this.options
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        body?.destroy()
        log.error({ err: error, method }, 'the store of attachments cannot be reached')
        reject(new Unavailable('the store of attachments is temporarily unreachable; retry'))
      }
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const request = send(url, { method, headers, timeout: IDLE_MS }, resolve)
      request.on('error', fail)
      request.on('timeout', () => request.destroy(new Error(`no answer within ${IDLE_MS} ms`)))
      if (!body) request.end()
      // The request reports its own errors; those of the file arrive here.
      else pipeline(body, request).catch((error: Error) => request.destroy(error))
    })
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
  body?: Readable
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}
