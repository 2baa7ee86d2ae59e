/** Loads the library when the first passkey is used: it brings parsers of certificates, and most processes use none. */
export const loadWebAuthn = (): Promise<typeof import('@simplewebauthn/server')> => import('@simplewebauthn/server')

/**
 * Drops what an authenticator's maker says of it, which nobody asked for: an answer may bring certificates of its own making,
 * and whoever checks them asks the addresses that they name.
 * @param attestationObject base64url @returns one of the format `none` @throws Error if it is not CBOR of that shape
 */
export async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const decoded: unknown = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const authData: unknown = decoded instanceof Map ? decoded.get('authData') : null
  if (!(authData instanceof Uint8Array)) throw new Error('the attestation object has no authData')
  const parts = { fmt: 'none', attStmt: new Map<string, string>(), authData }
  return Buffer.from(isoCBOR.encode(new Map(Object.entries(parts)))).toString('base64url')
}
