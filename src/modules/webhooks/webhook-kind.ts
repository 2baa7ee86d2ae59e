import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { JsonObject } from '../../platform/json.js'
import { lockToCount } from '../organizations/owned-record.js'
import { messageOf } from './deliver-partition.js'
import type { ServiceKind, ServiceTestRequest, ServiceWritten } from '../services/service-kinds.js'
import { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { formatOf } from './webhook-format.js'
import { ServiceTestFailed } from '../services/service-test.js'
import type { Service } from '../services/service.js'
import { User } from '../users/user.js'
import { verify, WEBHOOK_AGENT } from './handshake.js'
import { endListening } from './webhook-listeners.js'
import type { PayloadFieldsOf } from './payload-fields.js'
import { botOf, eventsOf, mutedUserOf, readWebhookParams, WEBHOOK, type WebhookParams } from './webhook-params.js'
import { WEBHOOK_SETTINGS } from './webhook-settings.js'
import { settle } from './webhook-status.js'

/** Each event is compared with every webhook, and service that takes events, of its organization. */
const WEBHOOKS_PER_ORGANIZATION_MAX = 100

/** Time for which a replaced secret is used for signatures too. */
const SECRET_OVERLAP_MS = 24 * 3_600_000

/**
 * Extends writes of webhook services: requests a handshake for a new address, and keeps a replaced secret for a day.
 * Nothing is delivered to an address before it has answered its handshake.
 */
export class WebhookKind implements ServiceKind {
  readonly touchpoint = null
  readonly params = WEBHOOK_SETTINGS.params
  readonly secrets = WEBHOOK_SETTINGS.secrets
  readonly form = WEBHOOK_SETTINGS.form
  readonly #http: OutboundHttp
  readonly #publicUrl: string

  constructor(
    { webhookAllowPrivate: allowPrivate, publicUrl }: Pick<Config, 'webhookAllowPrivate' | 'publicUrl'>,
    private readonly fieldsOf: PayloadFieldsOf,
    private readonly sealer: Sealer,
  ) {
    // Of its own: a test must not wait for deliveries to the same host.
    this.#publicUrl = publicUrl
    this.#http = new OutboundHttp({ allowPrivate, userAgent: WEBHOOK_AGENT, keepAlive: false })
  }

  /** Names the address of notices: whoever has that of an incoming webhook writes into its channel. */
  secretAddresses(params: JsonObject): readonly string[] {
    return formatOf(params) === 'json' ? [] : ['url']
  }

  readParams(given: JsonObject, stored: JsonObject): WebhookParams {
    return readWebhookParams(given, stored, this.fieldsOf)
  }

  async written(ctx: Context, tx: WriteTx, written: ServiceWritten): Promise<void> {
    const { service, before } = written
    const params = written.params as WebhookParams
    if (before?.type !== WEBHOOK) await checkCount(tx, service.organizationId)
    const earlier = before?.type === WEBHOOK ? before : null
    const bot = botOf(params)
    // A writer who sets the address of the receiver controls the bot's messages, so the bot is checked.
    const isSame = earlier !== null && bot === botOf(earlier.params) && params.url === earlier.params.url
    if (bot && !isSame) await checkBot(tx, bot, service)
    await tx.query(
      `insert into webhook (service_id, organization_id, events, status, muted_user) values ($1, $2, $3, $4, $5)
       on conflict (service_id) do update set events = $3, muted_user = $5`,
      [service.id, service.organizationId, eventsOf(params), service.status, mutedUserOf(params)],
    )
    const replaced = earlier?.params.secret
    if (typeof replaced === 'string' && replaced !== params.secret) {
      // Deliveries to a new address are not signed with the secret known to the old one.
      const isSameAddress = earlier?.params.url === params.url
      await tx.query('update webhook set previous_secret = $2, previous_until = $3 where service_id = $1', [
        service.id,
        isSameAddress ? this.sealer.seal(SEALED.replacedSecret, service.id, replaced) : null,
        isSameAddress ? new Date(ctx.now().getTime() + SECRET_OVERLAP_MS) : null,
      ])
    } else if (earlier && earlier.params.url !== params.url) {
      await tx.query('update webhook set previous_secret = null, previous_until = null where service_id = $1', [
        service.id,
      ])
    }
    await this.#settleStatus(ctx, tx, { ...written, before: earlier })
  }

  removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    return removeWebhook(tx, id)
  }

  /** Does the handshake, or sends a test notice; what is delivered does not depend on it. */
  async test({ service, to, ctx, signal }: ServiceTestRequest): Promise<string> {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    const verified = { params: service.params as WebhookParams, name: service.name, publicUrl: this.#publicUrl }
    try {
      return await verify(this.#http, ctx, verified, signal)
    } catch (error) {
      throw new ServiceTestFailed(messageOf(error))
    }
  }

  /** Administrators set active or inactive; the server determines whether it is verified or failing. */
  async #settleStatus(ctx: Context, tx: WriteTx, { service, params, before }: ServiceWritten): Promise<void> {
    const now = ctx.now()
    if (service.status === 'inactive') {
      await endListening(tx, service.id)
      await settle(tx, service.id, 'inactive', now)
      return
    }
    const [stored] = await tx.query<{ verified_url: string | null }>(
      'select verified_url from webhook where service_id = $1',
      [service.id],
    )
    // A changed password is in no address that is kept.
    const isSameAddress = stored?.verified_url === service.params.url && params.url === before?.params.url
    // Who takes notices has not said that it takes whole events.
    const isVerified = isSameAddress && formatOf(params) === formatOf(before?.params ?? {})
    if (!isVerified || before === null || before.status === 'inactive') {
      // Nor does it once the format is changed back: what was verified was another address, or another format.
      if (!isVerified) await tx.query('update webhook set verified_url = null where service_id = $1', [service.id])
      service.status = 'unverified'
      await settle(tx, service.id, 'unverified', now)
    } else if (service.status === 'active' && before.status !== 'active') {
      await settle(tx, service.id, 'active', now)
    }
  }
}

/** Removes what is kept for a webhook beside its service. */
export async function removeWebhook(tx: Sql, id: string): Promise<void> {
  await endListening(tx, id)
  for (const table of ['webhook_partition', 'webhook_delivery', 'webhook']) {
    await tx.query(`delete from ${table} where service_id = $1`, [id])
  }
}

/**
 * @throws BadUserInput unless it is an active bot of the service's organization or its ancestors that the writer sees:
 *   an administrator of a customer cannot make a bot of the contact center speak
 */
export async function checkBot({ em }: WriteTx, bot: string, service: Service): Promise<void> {
  const organizationId = { $in: pathOf(service).filter((id) => id !== undefined) }
  if ((await em.count(User, { id: bot, organizationId, role: 'bot', status: { $ne: 'archived' } })) > 0) return
  throw new BadUserInput('params.bot', `params.bot ${quoteValue(bot)} is not a bot of the service's organization`)
}

/** @throws Unprocessable for one more than an organization may have */
export async function checkCount(tx: Sql, organization: string): Promise<void> {
  await lockToCount(tx, organization)
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from webhook where organization_id = $1',
    [organization],
  )
  if (row!.count < WEBHOOKS_PER_ORGANIZATION_MAX) return
  throw new Unprocessable(
    `an organization may have ${WEBHOOKS_PER_ORGANIZATION_MAX} services of types webhook and events`,
    {
      reason: 'TOO_MANY',
      field: 'type',
    },
  )
}
