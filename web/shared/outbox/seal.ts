/** A row that only its user can read. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  box: ArrayBuffer
}

export interface Seal {
  close(row: object): Promise<Sealed>
  /** Null for what another user has sealed. */
  open<Row>(sealed: Sealed): Promise<Row | null>
}

const AES = 'AES-GCM'

/**
 * Encrypts what a browser keeps, by a key that the server gives to the signed-in user alone.
 * @param secret base64url
 * @returns null where browsers have no cryptography: pages without https
 */
export async function openSeal(secret: string): Promise<Seal | null> {
  const { subtle } = crypto
  if (!subtle || !secret) return null
  const bytes = Uint8Array.from(atob(secret.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
  const key = await subtle.importKey('raw', bytes, AES, false, ['encrypt', 'decrypt'])
  return {
    async close(row) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      return { iv, box: await subtle.encrypt({ name: AES, iv }, key, new TextEncoder().encode(JSON.stringify(row))) }
    },
    async open({ iv, box }) {
      const text = await subtle.decrypt({ name: AES, iv }, key, box).catch(() => null)
      return text && JSON.parse(new TextDecoder().decode(text))
    },
  }
}
