/** The part of the package that is used; it has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** RFC 8188, with the keys of RFC 8291. */
  export function encrypt(
    content: Buffer,
    parameters: {
      version: 'aes128gcm'
      /** The receiver's public key, base64url. */
      dh: string
      authSecret: string
      privateKey: ECDH
    },
  ): Buffer
  export function decrypt(
    content: Buffer,
    parameters: { version: 'aes128gcm'; authSecret: string; privateKey: ECDH },
  ): Buffer
}
