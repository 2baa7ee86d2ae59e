import { isSecretKey } from '../../src/modules/services/secret-names.js'
import { openParams, sealParams, type StoredParams } from '../../src/modules/services/stored-params.js'
import type { Server } from '../../src/app/server.js'
import type { JsonObject } from '../../src/platform/json.js'

type Stored = Pick<Server, 'database' | 'sealer'>

/** The params of a service as the server uses them, secrets included. */
export async function storedParams<Params = JsonObject>({ database, sealer }: Stored, id: string): Promise<Params> {
  const [row] = await database.query<StoredParams>(
    'select id, params, sealed_params as "sealedParams" from service where id = $1',
    [id],
  )
  return openParams(sealer, row!) as Params
}

/** Adds to the params of a service what no write would take. */
export async function addStoredParams(server: Stored, id: string, more: JsonObject): Promise<void> {
  const all = { ...(await storedParams(server, id)), ...more }
  const declared = { params: Object.keys(all).filter((key) => !isSecretKey(key)), secrets: {} }
  const { params, sealedParams } = sealParams(server.sealer, { id, params: all }, declared)
  await server.database.query('update service set params = $2, sealed_params = $3 where id = $1', [
    id,
    params,
    sealedParams,
  ])
}
