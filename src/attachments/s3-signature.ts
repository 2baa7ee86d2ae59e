import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  accessKey: string
  secretKey: string
  region: string
}

export interface S3Request {
  method: string
  url: URL
  /** All of them are signed, in addition to `host`. */
  headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, hexadecimal. */
  bodySha256: string
  now: Date
}

export const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** Returns the headers of a request with those of AWS Signature Version 4, which every S3-compatible store accepts. */
export function signedHeaders(request: S3Request, credentials: S3Credentials): Record<string, string> {
  const { method, url, bodySha256, now } = request
  const timestamp = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': bodySha256,
    'x-amz-date': timestamp,
  }
  const names = Object.keys(headers)
    .map((name) => name.toLowerCase())
    .toSorted()
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const signedNames = names.join(';')
  const canonical = [
    method,
    pathOf(url),
    queryOf(url),
    ...names.map((name) => `${name}:${byName.get(name)}`),
    '',
    signedNames,
    bodySha256,
  ].join('\n')
  const day = timestamp.slice(0, 8)
  const scope = `${day}/${credentials.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, credentials.region, 's3', 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${credentials.secretKey}`,
  )
  const parts = {
    Credential: `${credentials.accessKey}/${scope}`,
    SignedHeaders: signedNames,
    Signature: hmac(key, toSign).toString('hex'),
  }
  const written = Object.entries(parts).map(([name, value]) => `${name}=${value}`)
  headers.authorization = `AWS4-HMAC-SHA256 ${written.join(',')}`
  return headers
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Percent-encodes every character except the unreserved ones and the slash, once. */
function pathOf({ pathname }: URL): string {
  return pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
}

function queryOf({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}
