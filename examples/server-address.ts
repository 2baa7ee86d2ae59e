import { Refused, Unreachable } from '@switchboard/client'

/** Finds the server: SERVER_URL, or by the settings with which it was started, PUBLIC_URL and PORT. */
export function serverAddress({ SERVER_URL, PUBLIC_URL, PORT }: NodeJS.ProcessEnv): string {
  return (SERVER_URL || PUBLIC_URL || `http://localhost:${PORT || 4000}`).replace(/\/+$/, '')
}

/** Says in a sentence why the server at the address did not do what was asked. */
export function reasonOf(error: unknown, url: string): string {
  if (error instanceof Refused && error.code === 'UNAUTHENTICATED') {
    return `${error.message}, says the server at ${url}: ADMIN_EMAIL and ADMIN_PASSWORD are those of its first start`
  }
  if (error instanceof Refused) return `${error.code}: ${error.message}`
  if (error instanceof Unreachable) {
    return `no Switchboard answers at ${url}: start it by npm start, or give the PORT or the PUBLIC_URL that it was started with`
  }
  return error instanceof Error ? error.message : String(error)
}
