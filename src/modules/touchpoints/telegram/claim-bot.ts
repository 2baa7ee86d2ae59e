import { createHmac } from 'node:crypto'
import { Unprocessable } from '../../../platform/errors.js'
import type { WriteTx } from '../../../platform/events/transact.js'

/**
 * Keeps a bot to one service of the whole installation: of two, each would take updates from the other, and both would take over the
 * address. Known by its token rather than by its public id, so that nobody can occupy a bot that is not theirs; stored is a keyed hash.
 */
export class BotClaims {
  /** @param secret of this installation */
  constructor(private readonly secret: Uint8Array) {}

  /**
   * Has the service hold the bot of this token; null: none.
   * @throws Unprocessable when another service holds it, of which nothing is told: it may be another tenant's
   */
  async claim(tx: Pick<WriteTx, 'query'>, service: string, token: string | null): Promise<void> {
    const account = token === null ? null : this.#hash(token)
    if (account !== null) {
      // Serializes services that take the same bot: the later one sees the earlier one's.
      await tx.query('select pg_advisory_xact_lock(hashtext($1))', [account])
      const [taken] = await tx.query('select 1 from service where account = $1 and id <> $2', [account, service])
      if (taken) {
        throw new Unprocessable('params.botToken is of a bot that is in use by another service: a bot has one', {
          reason: 'BOT_TAKEN',
        })
      }
    }
    await tx.query('update service set account = $2 where id = $1 and account is distinct from $2', [service, account])
  }

  #hash(token: string): string {
    return `telegram:${createHmac('sha256', this.secret).update(token).digest('base64url')}`
  }
}
