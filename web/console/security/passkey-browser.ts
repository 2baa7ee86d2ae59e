/** Tells whether this browser can make and use passkeys here. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential

type Json = Record<string, unknown>

/** Has the person use a passkey. @throws DOMException if the person gives up, or none fits */
export async function askForPasskey(options: unknown): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return jsonOf(await navigator.credentials.get({ publicKey }))
}

/** Has the person make a passkey. @throws DOMException if the person gives up, or has one there already */
export async function makePasskey(options: unknown): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return jsonOf(await navigator.credentials.create({ publicKey }))
}

function jsonOf(made: Credential | null): Json {
  return (made as PublicKeyCredential).toJSON() as unknown as Json
}

/** Tells whether the browser refused, rather than the server: the person gave up, or there is no passkey. */
export const isGivenUp = (error: unknown): boolean => error instanceof DOMException
