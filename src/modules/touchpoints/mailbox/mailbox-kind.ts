import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import type { JsonObject } from '../../../platform/json.js'
import type { ServiceKind, ServiceWritten } from '../../services/service-kinds.js'
import type { Service } from '../../services/service.js'
import { MAIL_FORMATS } from '../email/mail-formats.js'
import { requireOwnAddress } from '../email/email-params.js'
import { MAILBOX_SETTINGS } from './settings.js'
import { MAILBOX, readMailboxParams, type MailboxParams } from './mailbox-params.js'

export interface MailboxKindOptions {
  clock: Clock
  isPrivateAllowed: boolean
  /** Called after a commit that made a mailbox due. */
  wake(): void
  test: NonNullable<ServiceKind['test']>
  authorize: NonNullable<ServiceKind['authorize']>
}

/** Service kind `mailbox`: its row is what readers lease. */
export class MailboxKind implements ServiceKind {
  readonly touchpoint = 'email'
  readonly formats = MAIL_FORMATS
  readonly params = MAILBOX_SETTINGS.params
  readonly secrets = MAILBOX_SETTINGS.secrets
  readonly form = MAILBOX_SETTINGS.form
  readonly test: MailboxKindOptions['test']
  readonly authorize: MailboxKindOptions['authorize']
  readonly isChecked = true

  constructor(private readonly options: MailboxKindOptions) {
    this.test = options.test
    this.authorize = options.authorize
  }

  readParams(given: JsonObject, stored: JsonObject): JsonObject {
    const { clock, isPrivateAllowed } = this.options
    return readMailboxParams(given, stored, { now: clock.now(), isPrivateAllowed })
  }

  /** @throws Unprocessable for the address of another service */
  async written(
    ctx: Context,
    tx: WriteTx,
    { service, params, before }: ServiceWritten,
  ): Promise<void | (() => Promise<void>)> {
    const { address } = params as MailboxParams
    const earlier = before?.type === MAILBOX ? before : null
    if (address === undefined) {
      await removeMailbox(tx, service.id)
      return
    }
    await requireOwnAddress(tx, service.id, address)
    // Of one that fails, what was wrong may be right now.
    const isSame =
      earlier?.status === service.status && earlier.status !== 'failing' && isDeepStrictEqual(earlier.params, params)
    if (isSame) return
    await tx.query(
      `insert into mailbox as m (service_id, due_at) values ($1, $2)
       on conflict (service_id) do update set generation = m.generation + 1, due_at = $2, audited_at = null, failures = 0,
         failing_since = null, failure = null, failure_code = null`,
      [service.id, ctx.now()],
    )
    return async () => this.options.wake()
  }

  removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    return removeMailbox(tx, id)
  }
}

/** Removes what is known of its mails as well: another type of service has no use for it. */
async function removeMailbox(tx: Pick<WriteTx, 'query'>, id: string): Promise<void> {
  await tx.query('delete from mailbox where service_id = $1', [id])
  await tx.query('delete from mailbox_epoch where service_id = $1', [id])
}
