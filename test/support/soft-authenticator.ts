import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

/** Deviations of a browser or an authenticator, each to be refused. */
export interface Deviation {
  origin?: string
  rpId?: string
  crossOrigin?: boolean
  /** The person was not verified, as by a key without a PIN. */
  isUnverified?: boolean
  /** The counter that is said, in place of the next one. */
  counter?: number
  /** Null leaves it out. */
  userHandle?: string | null
  challenge?: string
  /** Signs by a key of its own. */
  isForged?: boolean
  /** Says this of its maker, though nobody asks. */
  attestation?: { format: string; statement: Map<string, Cbor> }
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string; name: string }
  excludeCredentials: { id: string }[]
  authenticatorSelection: { residentKey: string; userVerification: string }
  attestation: string
}
export interface RequestOptions {
  challenge: string
  rpId: string
  userVerification: string
  allowCredentials?: { id: string }[]
}

const UP = 0x01
const UV = 0x04
const AT = 0x40

/** An authenticator with one discoverable passkey (ES256, attestation none), and the browser around it, of Node's crypto alone. */
export class SoftAuthenticator {
  readonly id: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  userHandle = ''
  /** Counts uses; null stays 0, as with passkeys that are synced. */
  counter: number | null = 0

  constructor(
    private readonly origin: string,
    idBytes = 32,
  ) {
    this.id = randomBytes(idBytes).toString('base64url')
  }

  /** Returns the JSON of what `navigator.credentials.create()` makes. */
  create(options: CreationOptions, deviation: Deviation = {}): Record<string, unknown> {
    this.userHandle = options.user.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const key = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    )
    const data = this.#data(options.rp.id, deviation, AT)
    const authData = Buffer.concat([data, Buffer.alloc(16), length, id, key])
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', deviation.attestation?.format ?? 'none'],
        ['attStmt', deviation.attestation?.statement ?? new Map<string, Cbor>()],
        ['authData', authData],
      ]),
    )
    return this.#credential({
      clientDataJSON: text(this.#clientData('webauthn.create', options.challenge, deviation)),
      attestationObject: text(attestationObject),
      transports: ['internal', 'hybrid'],
    })
  }

  /** Returns the JSON of what `navigator.credentials.get()` answers. */
  get(options: RequestOptions, deviation: Deviation = {}): Record<string, unknown> {
    if (this.counter !== null) this.counter += 1
    const authenticatorData = this.#data(options.rpId, deviation)
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation)
    const key: KeyObject = deviation.isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
    const userHandle = deviation.userHandle === undefined ? this.userHandle : deviation.userHandle
    return this.#credential({
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: createSign('sha256').update(signed).sign(key).toString('base64url'),
      ...(userHandle !== null && { userHandle }),
    })
  }

  #credential(response: object): Record<string, unknown> {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const { origin = this.origin, crossOrigin = false } = deviation
    return Buffer.from(JSON.stringify({ type, challenge: deviation.challenge ?? challenge, origin, crossOrigin }))
  }

  #data(rpId: string, deviation: Deviation, flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(deviation.counter ?? this.counter ?? 0)
    return Buffer.concat([
      createHash('sha256')
        .update(deviation.rpId ?? rpId)
        .digest(),
      Buffer.from([flags | UP | (deviation.isUnverified ? 0 : UV)]),
      counter,
    ])
  }
}

const text = (bytes: Buffer): string => bytes.toString('base64url')

type Cbor = number | string | Buffer | readonly Cbor[] | Map<number | string, Cbor>

/** Writes the part of CBOR (RFC 8949) that authenticators need. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (!(value instanceof Map)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
