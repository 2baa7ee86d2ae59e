import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/db/database.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'

const SECRET_BYTES = 32

/**
 * Returns a secret of this installation, created on first use: the same on every node and across restarts.
 * @param name of its use, such as `tokens`: each has a secret of its own
 */
export async function serverSecret(sql: Sql, sealer: Sealer, name: string): Promise<Uint8Array> {
  const find = () => sql.query<{ value: string }>('select value from server_secret where name = $1', [name])
  let [found] = await find()
  if (!found) {
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    // Another node may have created it: the stored one counts.
    await sql.query('insert into server_secret (name, value) values ($1, $2) on conflict do nothing', [
      name,
      sealer.seal(SEALED.serverSecret, name, secret),
    ])
    ;[found] = await find()
  }
  if (!found) throw new Error(`the server secret ${name} was stored but cannot be read`)
  return new Uint8Array(Buffer.from(sealer.open(SEALED.serverSecret, name, found.value), 'base64url'))
}
