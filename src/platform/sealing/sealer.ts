import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Unavailable } from '../errors.js'
import type { SealedPlace } from './sealed-places.js'

/** Before the id of the key: `v1.3f9a0c1d.…`. */
const FORMAT = 'v1'
const CIPHER = 'aes-256-gcm'
export const KEY_BYTES = 32
const [NONCE_BYTES, TAG_BYTES] = [12, 16]
const ID_CHARS = 8

/** SQL: whether a text of this expression is sealed, and by which key. */
export const isSealedSql = (text: string): string => `${text} like '${FORMAT}.%'`
export const keyIdSql = (text: string): string => `split_part(${text}, '.', 2)`

/** Seals secrets at rest, by AES-256-GCM: a sealed text opens only in the row and the column for which it was sealed. */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Buffer>
  /** The id of the key that seals. */
  readonly keyId: string

  /** @param keys the first seals, all open: of {@link KEY_BYTES} each */
  constructor(keys: readonly Buffer[]) {
    const [first] = keys
    if (!first) throw new Error('a sealer needs a key')
    this.#keys = new Map(keys.map((key) => [keyIdOf(key), key]))
    this.keyId = keyIdOf(first)
  }

  /** Ids of all keys: they tell nothing of the keys. */
  get keyIds(): string[] {
    return [...this.#keys.keys()]
  }

  seal(place: SealedPlace, row: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#keys.get(this.keyId)!, nonce).setAAD(boundTo(place, row))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${FORMAT}.${this.keyId}.${sealed.toString('base64url')}`
  }

  /** @throws Unavailable when the key is missing here; Error for a text that was changed, or sealed for another row */
  open(place: SealedPlace, row: string, sealed: string): string {
    const [format, id = '', encoded = '', ...more] = sealed.split('.')
    if (format !== FORMAT || more.length > 0) throw new Error(`${nameOf(place, row)} is not sealed`)
    const key = this.#keys.get(id)
    if (!key) throw new Unavailable(`${nameOf(place, row)} is sealed with the key ${id}, which this node lacks`)
    const bytes = Buffer.from(encoded, 'base64url')
    try {
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(boundTo(place, row)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    } catch (error) {
      throw new Error(`${nameOf(place, row)} was changed, or sealed for another row`, { cause: error })
    }
  }

  /**
   * Returns a hash of a text that may hold secrets: without the key, nobody can try whether a guess has it.
   * @param earlier one with which it will be compared: made with the same key, as long as this node has it
   */
  hash(text: string, earlier = ''): string {
    const [, given = ''] = earlier.split('.')
    const id = this.#keys.has(given) ? given : this.keyId
    const key = Buffer.from(hkdfSync('sha256', this.#keys.get(id)!, '', 'hash', KEY_BYTES))
    return `${FORMAT}.${id}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
}

/** Tells keys apart: the first part of a hash. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('switchboard key').update(key).digest('hex').slice(0, ID_CHARS)
}

function boundTo({ table, column }: SealedPlace, row: string): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]))
}

function nameOf({ table, column }: SealedPlace, row: string): string {
  return `${table}.${column} of ${row}`
}
