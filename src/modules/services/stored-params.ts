import type { JsonObject } from '../../platform/json.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { ServiceKind } from './service-kinds.js'
import { holdsSecret, maskAll, maskSecrets } from './service-secrets.js'

/** A service's params at rest. */
export interface StoredParams {
  id: string
  /** As they are shown; of a type of one's own only their names. */
  params: JsonObject
  /** All of them with their secrets, sealed; null where they hold none, or are none. */
  sealedParams: string | null
}

/**
 * Seals params that hold a secret as a whole: who can write to the database and has no key cannot have a secret sent to
 * another host, either. Those of a type of one's own are always sealed, since nothing says which of them are secrets.
 * @param kind undefined for a type of one's own
 */
export function sealParams(
  sealer: Sealer,
  { id, params }: Omit<StoredParams, 'sealedParams'>,
  kind: Pick<ServiceKind, 'params' | 'secrets' | 'secretAddresses'> | undefined,
): Omit<StoredParams, 'id'> {
  const isSealed = kind ? holdsSecret(params, kind) : Object.keys(params).length > 0
  if (!isSealed) return { params, sealedParams: null }
  const sealedParams = sealer.seal(SEALED.service, id, JSON.stringify(params))
  return { params: kind ? maskSecrets(params, kind) : maskAll(params), sealedParams }
}

/** Returns the params with their secrets. @throws Unavailable when this node lacks the key */
export function openParams(sealer: Sealer, { id, params, sealedParams }: StoredParams): JsonObject {
  if (sealedParams === null) return params
  return JSON.parse(sealer.open(SEALED.service, id, sealedParams)) as JsonObject
}
