import { createHash, randomBytes } from 'node:crypto'
import { Field, ID, ObjectType } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { Unauthenticated, Unprocessable } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Service } from '../services/service.js'
import { PROVIDER_TYPES } from '../sso/provider-params.js'
import type { Providers } from '../sso/providers.js'
import { dueToAll } from '../sso/provisioning.js'
import { parseOverlap } from '../users/rotate-api-token.js'
import { baseOf, type Provisioner } from './provider-context.js'

@ObjectType({
  simpleResolvers: true,
  description: 'A token by which a provider (a service of type `oidc` or `saml`) keeps users and groups (SCIM 2.0).',
})
export class ScimToken {
  @Field(() => ID)
  id!: string

  @Field(() => DateTime, { description: 'Time of its creation.' })
  createdAt!: Date

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it ends, since another one replaces it; null: it does not.',
  })
  endsAt!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the last use, to five minutes; null if it was never used.',
  })
  usedAt!: Date | null

  /** Set in the answer that makes it: only its hash is stored. */
  @Field(() => String, { nullable: true, description: 'The token. Only shown by the mutation that makes it.' })
  token?: string
}

export const OVERLAP_HOURS_MAX = 720
const HOUR_MS = 3_600_000
const SECRET_BYTES = 32
const PREFIX = 'scim_'
const TOKEN_CHARS_MAX = 200
const USED_EVERY = '5 minutes'

const COLUMNS = 'id, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt"'

/** Reads the valid tokens of a provider, the newest first. @throws NotFound; Unprocessable for a service of another type */
export async function readScimTokens(ctx: Context, service: string): Promise<ScimToken[]> {
  const { id } = await requireProvider(ctx, service)
  return ctx.reads.query<ScimToken>(
    `select ${COLUMNS} from scim_token where service_id = $1 and (ends_at is null or ends_at > $2) order by created_at desc, id`,
    [id, ctx.now()],
    'scim-tokens',
  )
}

/**
 * Gives a provider a token, shown in this answer only. An earlier one ends at once, or when the overlap is over; one that is still
 * valid from an earlier rotation ends at once: never are there more than two.
 * @throws NotFound, BadUserInput; Unprocessable for a service of another type
 */
export async function createScimToken(
  ctx: Context,
  transact: Transact,
  { service, overlapHours }: { service: string; overlapHours: number },
): Promise<ScimToken> {
  parseOverlap(overlapHours, OVERLAP_HOURS_MAX)
  const token = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
  const made = await transact(ctx, async (tx) => {
    const { id } = await requireProvider(ctx, service, tx.em)
    const now = ctx.now()
    const until = new Date(now.getTime() + overlapHours * HOUR_MS)
    await tx.query('delete from scim_token where service_id = $1 and ends_at is not null', [id])
    const others = await tx.query('update scim_token set ends_at = $2 where service_id = $1 returning 1', [id, until])
    const [row] = await tx.query<ScimToken>(
      `insert into scim_token (id, service_id, hash, created_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [ctx.newId(), id, hashOf(token), now],
    )
    // While there was none, sign-ins and administrators may have given other rights.
    if (others.length === 0) await dueToAll(tx, id, now)
    return row!
  })
  return { ...made, token }
}

/** Ends a token at once. @returns false if it had ended before @throws NotFound for the service; Unprocessable */
export async function revokeScimToken(
  ctx: Context,
  transact: Transact,
  { service, token }: { service: string; token: string },
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { id } = await requireProvider(ctx, service, tx.em)
    const removed = isId(token)
      ? await tx.query<{ is_valid: boolean }>(
          `delete from scim_token where service_id = $1 and id = $2
           returning ends_at is null or ends_at > $3 as is_valid`,
          [id, token, ctx.now()],
        )
      : []
    if (removed.length === 0) throw recordNotFound('ScimToken', token, 'token')
    return removed[0]!.is_valid
  })
}

/**
 * Finds the provider that a request is of.
 * @param authorization the header's value
 * @throws Unauthenticated, the same for a wrong token, another provider's, and a provider that is not in use
 */
export async function letIn(
  ctx: Context,
  { providers, publicUrl }: { providers: Pick<Providers, 'find'>; publicUrl: string },
  { service, authorization }: { service: string; authorization: string | undefined },
): Promise<Provisioner> {
  if (authorization === undefined) throw new Unauthenticated('the token of the provider is missing')
  const [scheme, token = '', ...more] = authorization.split(' ')
  const isBearer = scheme!.toLowerCase() === 'bearer' && token.startsWith(PREFIX) && more.length === 0
  const known =
    isBearer && token.length <= TOKEN_CHARS_MAX && isId(service) ? await findToken(ctx, service, token) : null
  const provider = known && (await providers.find(service))
  if (!provider) throw new Unauthenticated('the token is none of this provider', { reason: 'TOKEN_INVALID' })
  if (known.is_stale) {
    await ctx.database.sqlTransaction((sql) =>
      sql.query('update scim_token set used_at = $2 where id = $1', [known.id, ctx.now()]),
    )
  }
  return { provider, token: known.id, base: baseOf(publicUrl, provider.id) }
}

async function findToken(
  ctx: Context,
  service: string,
  token: string,
): Promise<{ id: string; is_stale: boolean } | null> {
  const [found] = await ctx.reads.query<{ id: string; is_stale: boolean }>(
    `select id, used_at is null or used_at <= $3::timestamptz - interval '${USED_EVERY}' as is_stale
     from scim_token where hash = $1 and service_id = $2 and (ends_at is null or ends_at > $3)`,
    [hashOf(token), service, ctx.now()],
    'scim-token',
  )
  return found ?? null
}

/** A fast hash is enough for a random secret. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** @throws NotFound; Unprocessable for a service of another type */
async function requireProvider(ctx: Context, service: string, em?: Context['em']): Promise<Service> {
  const found = await fetchRecord(ctx, Service, service, { field: 'service', ...(em && { em, lock: true }) })
  if (PROVIDER_TYPES.includes(found.type)) return found
  throw new Unprocessable(`a service of type ${found.type} is no provider`, { field: 'service' })
}
