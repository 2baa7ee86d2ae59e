/**
 * Tells whether a page of this origin is one of the server's own: by the address that it was asked at, or its public
 * one.
 */
export function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  const url = URL.parse(origin)
  return url !== null && ((host !== undefined && url.host === host) || url.origin === new URL(publicUrl).origin)
}
