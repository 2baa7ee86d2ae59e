/** A column whose texts are sealed; each is bound to its table, its column and the id of its row. */
export interface SealedPlace {
  table: string
  column: string
  /** The column of the row's id. */
  id: string
}

/**
 * All secrets that the server must read again, which hashes cannot keep. Whatever else a database holds in clear is no
 * secret: passwords and tokens are hashes. A new one is added here.
 */
export const SEALED = {
  /** Except `sealing`, which may be the key, and `erasure`, by which statements hash. */
  serverSecret: { table: 'server_secret', column: 'value', id: 'name' },
  /** Params of a service that hold a secret, as JSON. */
  service: { table: 'service', column: 'sealed_params', id: 'id' },
  replacedSecret: { table: 'webhook', column: 'previous_secret', id: 'service_id' },
  accessToken: { table: 'service_grant', column: 'access_token', id: 'service_id' },
  refreshToken: { table: 'service_grant', column: 'refresh_token', id: 'service_id' },
  totpSecret: { table: 'user_factor', column: 'secret', id: 'id' },
  /** Arguments of a change that waits for a second administrator. */
  pendingInput: { table: 'pending_change', column: 'sealed_input', id: 'id' },
  browserKey: { table: 'push_subscription', column: 'auth', id: 'id' },
} as const satisfies Record<string, SealedPlace>
