import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, Forbidden, quoteValue, Unprocessable } from '../../platform/errors.js'
import { userStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { parseServerUrl, parseText } from '../../platform/input.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { isEndedByRuleSql } from '../sign-in-policy/sign-in-rules.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'

/** A browser is dropped when the user's eleventh subscribes: the one that has not been used for the longest time. */
export const SUBSCRIPTIONS_MAX = 10
const ENDPOINT_CHARS_MAX = 1_000

@ObjectType({
  simpleResolvers: true,
  description: 'A browser to which the push service of its vendor carries notifications of the user (RFC 8030).',
})
export class PushSubscription {
  @Field(() => ID)
  id!: string

  @Field(() => String, {
    description: "Origin of the push service. The rest of the endpoint is the browser's secret and is not shown.",
  })
  service!: string

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime, { description: 'Time at which the browser last subscribed.' })
  updatedAt!: Date
}

@InputType({ description: "A browser's `PushSubscription`, as its `toJSON()` gives it." })
export class PushSubscriptionInput {
  @Field(() => String, {
    description: `Address of the push service for this browser: https, public, at most ${ENDPOINT_CHARS_MAX.toLocaleString('en')} characters.`,
  })
  endpoint!: string

  @Field(() => String, {
    description: '`keys.p256dh`: the public key of the browser, an uncompressed point of P-256 in base64url.',
  })
  p256dh!: string

  @Field(() => String, { description: '`keys.auth`: 16 bytes in base64url.' })
  auth!: string
}

const SHOWN = `p.id, substring(p.endpoint from '^[^/]+//[^/]+') as service, p.created_at, p.updated_at`

/**
 * SQL: whether the subscription at `alias` may be sent to: its sign-in has not ended, and its user is not archived.
 * @param now SQL of the time, such as `$1`
 */
export const isLiveSql = (alias: string, now: string): string => `exists (
  select from token_family f join app_user of_family on of_family.id = ${alias}.user_id
  where f.id = ${alias}.family_id and f.revoked_at is null and f.expires_at > ${now}::timestamptz
    and of_family.status <> 'archived' and not ${isEndedByRuleSql('f', now)})`

/** The caller's own. */
export async function readSubscriptions(ctx: Context): Promise<PushSubscription[]> {
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select ${SHOWN} from push_subscription p where p.user_id = $1 and ${isLiveSql('p', '$2')}
     order by p.updated_at desc, p.id`,
    [ctx.userCaller.user, ctx.now()],
    'push-subscriptions',
  )
  return rows.map((row) => camelRow<PushSubscription>(row))
}

export interface SubscribeOptions {
  transact: Transact
  sealer: Sealer
  allowPrivate: boolean
}

/**
 * Adds the caller's browser, or binds it to the present sign-in, with which it ends. A browser that another user has used
 * is the caller's from here on; that takes its keys, not its endpoint alone. What was before is not notified.
 * @throws BadUserInput, Unprocessable; Forbidden for an API token, which is no sign-in and would never end
 */
export async function subscribe(
  ctx: Context,
  { transact, sealer, allowPrivate }: SubscribeOptions,
  input: PushSubscriptionInput,
): Promise<PushSubscription> {
  const { user, family } = ctx.userCaller
  if (family === undefined)
    throw new Forbidden('a browser is notified for a sign-in: an API token has none', { reason: 'SIGN_IN_REQUIRED' })
  const endpoint = parseEndpoint(input.endpoint, allowPrivate)
  const p256dh = parseKey(input.p256dh, 'input.p256dh', 65)
  if (!isPoint(p256dh)) throw new BadUserInput('input.p256dh', 'input.p256dh is not a point of P-256')
  const auth = parseKey(input.auth, 'input.auth', 16)
  return transact(ctx, async (tx) => {
    const [now, id] = [ctx.now(), ctx.newId()]
    // Concurrent ones are counted one after the other.
    await tx.query('select 1 from app_user where id = $1 for no key update', [user])
    const [row] = await tx.query<{ id: string; auth: string }>(
      `insert into push_subscription as p
         (id, user_id, family_id, endpoint, p256dh, auth, created_at, updated_at, position)
       values ($1, $2, $3, $4, $5, $6, $7, $7, coalesce((select head from stream where name = $8), 0))
       on conflict (endpoint) do update set user_id = excluded.user_id, family_id = excluded.family_id, updated_at = $7,
         position = excluded.position
       where p.p256dh = excluded.p256dh
       returning ${SHOWN}, p.auth`,
      [id, user, family, endpoint, p256dh, sealer.seal(SEALED.browserKey, id, auth), now, userStream(user)],
    )
    if (!row || sealer.open(SEALED.browserKey, row.id, row.auth) !== auth)
      throw new Unprocessable('input.endpoint belongs to another browser', {
        reason: 'ENDPOINT_TAKEN',
        field: 'input.endpoint',
      })
    await tx.query(
      `delete from push_subscription where id in (
         select id from push_subscription where user_id = $1 order by updated_at desc, id desc offset ${SUBSCRIPTIONS_MAX})`,
      [user],
    )
    const { auth: _sealed, ...shown } = row
    return camelRow<PushSubscription>(shown)
  })
}

/** Ends the caller's own; @returns whether there was one. */
export function unsubscribe(ctx: Context, transact: Transact, endpoint: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const gone = await tx.query('delete from push_subscription where endpoint = $1 and user_id = $2 returning id', [
      parseText(endpoint, 'endpoint', { max: ENDPOINT_CHARS_MAX }),
      ctx.userCaller.user,
    ])
    return gone.length > 0
  })
}

/** Deletes those that are not sent to any more. */
export async function pruneSubscriptions(sql: Sql, now: Date): Promise<void> {
  await sql.query(`delete from push_subscription p where not ${isLiveSql('p', '$1')}`, [now])
}

/** @param allowPrivate for development: a push service without TLS as well */
function parseEndpoint(value: unknown, allowPrivate: boolean): string {
  const field = 'input.endpoint'
  const text = parseServerUrl(parseText(value, field, { max: ENDPOINT_CHARS_MAX }), field)
  const { protocol, username, hash, hostname } = new URL(text)
  if (username !== '' || hash !== '') throw new BadUserInput(field, `${field} must have no user name and no fragment`)
  if (allowPrivate) return new URL(text).href
  if (protocol !== 'https:')
    throw new BadUserInput(field, `${field} must be an https address, not ${quoteValue(value)}`)
  // What a name resolves to is checked when a connection is made; no push service is a mere address.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new BadUserInput(field, `${field} must name the host of a push service, not ${quoteValue(value)}`)
  return new URL(text).href
}

function parseKey(value: unknown, field: string, bytes: number): string {
  const text = parseText(value, field, { max: 200 })
  const decoded = Buffer.from(text, 'base64url')
  if (/^[\w-]+=*$/.test(text) && decoded.length === bytes) return decoded.toString('base64url')
  throw new BadUserInput(field, `${field} must be ${bytes} bytes in base64url, not ${quoteValue(text)}`)
}

function isPoint(key: string): boolean {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  try {
    ecdh.computeSecret(key, 'base64url')
    return true
  } catch {
    return false
  }
}
