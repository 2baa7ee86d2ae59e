import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 3_000
const TRIES = 2

/** Looks up TXT records. @param servers instead of the system's */
export class DnsTexts {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })

  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers)
  }

  /** @returns what a name publishes, none when there is no such name; null when nobody answers for it */
  async at(name: string): Promise<string[] | null> {
    try {
      const records = await this.#resolver.resolveTxt(name)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === NODATA || code === NOTFOUND ? [] : null
    }
  }
}
