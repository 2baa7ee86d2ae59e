import { CompactSign } from 'jose'
import type { Sql } from '../../platform/db/database.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { serverSecret } from '../auth/server-secret.js'
import { SIGNING_ALGORITHM, SigningKey } from '../auth/signing-key.js'
import type { SealedHead } from './audit-chain.js'

/** Signs seals; the public half is served at `/.well-known/jwks.json`. */
export class SealKey {
  private constructor(private readonly key: SigningKey) {}

  /** Reads the installation's key, which is made on first use. */
  static async open(sql: Sql, sealer: Sealer): Promise<SealKey> {
    return new SealKey(new SigningKey(await serverSecret(sql, sealer, 'audit-seal')))
  }

  get public(): SigningKey['public'] {
    return this.key.public
  }

  /** Returns the seal as a compact JWS. */
  async sign(head: SealedHead): Promise<string> {
    const { kid } = await this.key.public
    return new CompactSign(new TextEncoder().encode(JSON.stringify(head)))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'audit-seal+jws' })
      .sign(this.key.private)
  }
}
