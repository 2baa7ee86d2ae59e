/** The service's public settings. */
export interface Settings {
  greeting: string | null
  looks: { title: string | null; accent: string | null }
  /** Tells what a new visitor may expect of the agents. */
  reach: 'OPEN' | 'BUSY' | 'NOBODY' | 'CLOSED'
  opensAt: string | null
  /** Somebody works who may answer. */
  online: boolean
  /** The server can mail copies of conversations. */
  copies: boolean
}

/** Reason why there is no chat at all; `message` is the server's, for whoever keeps the page. */
export interface Fault {
  is: 'forbidden' | 'unknown'
  message: string
}

/** Reads the service's public settings. @throws when no answer came, or one that passes */
export async function readSettings(server: string, service: string): Promise<Settings | Fault> {
  const response = await fetch(`${server}/widget/${encodeURIComponent(service)}.json`, { credentials: 'omit' })
  const answer = (await response.json()) as Settings & { message: string }
  const { status, ok } = response
  if (ok) return answer
  if (status === 403 || status === 404) {
    return { is: status === 403 ? 'forbidden' : 'unknown', message: answer.message }
  }
  throw new Error(answer.message)
}
