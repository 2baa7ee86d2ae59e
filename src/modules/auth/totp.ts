import { generateSecret, generateURI, verifySync } from 'otplib'

/** Seconds for which a code holds; one period earlier and one later are taken too, for clocks that differ. */
const PERIOD_SECONDS = 30

/** Returns a new secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return generateSecret()
}

/** Returns the address that authenticator apps take from a QR code. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return generateURI({ issuer, label: email, secret })
}

/**
 * Finds the period that a code of six digits belongs to (RFC 6238).
 * @param usedStep the period whose code was taken last: it and earlier ones are refused
 * @returns null for a code that is wrong, too old, or was taken before
 */
export function stepOfCode(
  secret: string,
  code: string,
  { now, usedStep }: { now: Date; usedStep: number | null },
): number | null {
  const epoch = Math.floor(now.getTime() / 1_000)
  // A clock that was set back: nothing is taken until it has passed what was used. More is an error of otplib's.
  const last = Math.floor(epoch / PERIOD_SECONDS) + 1
  const after = usedStep === null ? {} : { afterTimeStep: Math.min(usedStep, last) }
  const result = verifySync({ secret, token: code, epoch, epochTolerance: PERIOD_SECONDS, ...after })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
