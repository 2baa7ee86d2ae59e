import pg from 'pg'
import { sleep } from '../victim.js'

const BETWEEN_MS = 20
const STANDBY_MS = 50
const AWAY_MS = 50
const CONNECT_MS_MAX = 1_000

/**
 * Commits at the primary all the time, without the product: one connection to each server, past proxies and poolers. How
 * long nobody can commit is what the engines take; the rest of a silence is ours.
 */
export class DirectWriter {
  /** Times of commits, by `performance.now()`. */
  readonly commits: number[] = []
  #isOver = false
  readonly #loops: Promise<void>[]

  constructor(private readonly urls: readonly string[]) {
    this.#loops = urls.map((url) => this.#write(url))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.race([Promise.all(this.#loops), sleep(CONNECT_MS_MAX)])
  }

  /** The longest time without a commit, in ms, and when it began and ended. */
  longestGap(since: number): { ms: number; from: number; to: number } {
    const times = [since, ...this.commits.filter((at) => at >= since).sort((a, b) => a - b)]
    const gaps = times.slice(1).map((to, index) => ({ ms: to - times[index]!, from: times[index]!, to }))
    return gaps.reduce((one, other) => (other.ms > one.ms ? other : one), { ms: 0, from: since, to: since })
  }

  async #write(url: string): Promise<void> {
    while (!this.#isOver) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS_MAX })
      client.on('error', () => undefined)
      try {
        await client.connect()
        while (!this.#isOver) {
          const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
          if (rows[0]!.isStandby) {
            await sleep(STANDBY_MS)
            continue
          }
          const { routines } = await commitWarned(client)
          // A commit that the server gives up waiting for a standby may be lost: it does not count.
          if (routines === 0) this.commits.push(performance.now())
          await sleep(BETWEEN_MS)
        }
      } catch {
        await sleep(AWAY_MS)
      } finally {
        client.end().catch(() => undefined)
      }
    }
  }
}

async function commitWarned(client: pg.Client): Promise<{ routines: number }> {
  let routines = 0
  const count = (): void => void routines++
  client.on('notice', count)
  try {
    await client.query(`select pg_logical_emit_message(true, 'direct', '')`)
    return { routines }
  } finally {
    client.off('notice', count)
  }
}
