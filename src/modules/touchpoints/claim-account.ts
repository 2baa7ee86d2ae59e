import { quoteValue, Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { isServiceInUseSql } from '../services/service-in-use.js'
import type { ServiceWritten } from '../services/service-kinds.js'
import { openParams, type StoredParams } from '../services/stored-params.js'
import { isSameSecret } from './hub-routes.js'

/** The param of a type of services that names the account at the platform: a page, an account or a number. */
interface AccountParam {
  type: string
  param: string
}

/**
 * Keeps an account to one service in use: of two, each would take what the other sends for messages that were written elsewhere, and
 * which of them gets a consumer's message would be chance. Refused are a second one of the same organization, and of anybody
 * else who has the same app's secret, by which events are told apart: the account's id is public, and alone it must not let
 * strangers occupy it. Services of archived contact centers keep theirs.
 * @throws Unprocessable naming `params.<param>`; of the other service nothing is told: it may be another tenant's
 */
export async function claimAccount(
  sealer: Sealer,
  tx: Pick<WriteTx, 'query'>,
  { type, param }: AccountParam,
  { service, params }: Pick<ServiceWritten, 'service' | 'params'>,
): Promise<void> {
  const account = params[param]
  if (typeof account !== 'string' || service.status === 'inactive') return
  // Serializes services that take the same account: the later one sees the earlier one's.
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`${type}:${account}`])
  const others = await tx.query<StoredParams & { organization: string }>(
    `select id, organization_id as organization, params, sealed_params as "sealedParams" from service s
     where type = $1 and params ->> $2::text = $3 and id <> $4 and ${isServiceInUseSql('s')}`,
    [type, param, account, service.id],
  )
  const { appSecret } = params
  const isTaken = others.some(({ organization, ...stored }) => {
    if (organization === service.organizationId) return true
    const { appSecret: theirs } = openParams(sealer, stored)
    return typeof appSecret === 'string' && typeof theirs === 'string' && isSameSecret(theirs, appSecret)
  })
  if (!isTaken) return
  const field = `params.${param}`
  throw new Unprocessable(`${field} ${quoteValue(account)} is in use by another service: it has one at a time`, {
    reason: 'ACCOUNT_TAKEN',
    field,
  })
}
