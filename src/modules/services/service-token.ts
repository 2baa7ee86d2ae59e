import { LockMode } from '@mikro-orm/postgresql'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { isServiceInUseSql } from './service-in-use.js'
import type { ServiceKind } from './service-kinds.js'
import { emitService } from './service-writes.js'
import { Service } from './service.js'
import { openParams, sealParams } from './stored-params.js'

/** A token that is due to be replaced. */
export interface DueToken {
  /** Time since which the service has it; it may be older. */
  since: Date
  /** Null for one that somebody has entered. */
  endsAt: Date | null
}

/** Notes that somebody has given a service another token, which is due at once: only the provider knows when it ends. */
export async function beginToken(tx: Pick<WriteTx, 'query'>, service: string, now: Date): Promise<void> {
  await tx.query(
    `insert into service_token (service_id, since, due_at) values ($1, $2, $2)
     on conflict (service_id) do update set since = $2, ends_at = null, due_at = $2`,
    [service, now],
  )
}

export async function forgetToken(tx: Pick<WriteTx, 'query'>, service: string): Promise<void> {
  await tx.query('delete from service_token where service_id = $1', [service])
}

/** Returns when the token of a service ends; null where that is not known. */
export async function tokenEnd(sql: Sql, service: string): Promise<Date | null> {
  const [found] = await sql.query<{ at: Date | null }>(
    'select ends_at as at from service_token where service_id = $1',
    [service],
    'token-end',
  )
  return found?.at ?? null
}

/** Finds the services of a type whose tokens are due. */
export async function dueTokens(sql: Sql, type: string, now: Date): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select s.id from service_token t join service s on s.id = t.service_id
     where t.due_at <= $2 and s.type = $1 and ${isServiceInUseSql('s')} and ${isCenterInUseSql('s')}`,
    [type, now],
  )
  return rows.map(({ id }) => id)
}

/** Takes a token that is due, so that nobody else replaces it before the next time. @returns null if it is not due */
export async function claimToken(
  sql: Sql,
  service: string,
  { now, next }: Record<'now' | 'next', Date>,
): Promise<DueToken | null> {
  const [claimed] = await sql.query<DueToken>(
    `update service_token set due_at = $3 where service_id = $1 and due_at <= $2
     returning since, ends_at as "endsAt"`,
    [service, now, next],
    'claim-token',
  )
  return claimed ?? null
}

interface Replaced {
  service: string
  type: string
  /** Name of the param. */
  param: string
  from: string
  to: string
  endsAt: Date
  dueAt: Date
}

/**
 * Stores a token in place of another, sealed as all secrets are. The version of the service stays: nothing of what it shows has
 * changed, and who edits it meanwhile is not to be refused.
 * @returns false if the service has another one by now: what an administrator gives it wins
 */
export function replaceToken(
  system: Context,
  { transact, sealer, kind }: { transact: Transact; sealer: Sealer; kind: Pick<ServiceKind, 'params' | 'secrets'> },
  { service: id, type, param, from, to, endsAt, dueAt }: Replaced,
): Promise<boolean> {
  return transact(system, async (tx) => {
    const service = await tx.em.findOne(Service, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (service?.type !== type) return false
    const params = openParams(sealer, service)
    if (params[param] !== from) return false
    Object.assign(service, sealParams(sealer, { id, params: { ...params, [param]: to } }, kind))
    await tx.query('update service_token set since = $2, ends_at = $3, due_at = $4 where service_id = $1', [
      id,
      system.now(),
      endsAt,
      dueAt,
    ])
    emitService(tx, service, 'updated')
    return true
  })
}
