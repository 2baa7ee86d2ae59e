import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Context } from '../../../platform/context.js'
import { quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { Transact } from '../../../platform/events/transact.js'
import { MAIL_SHARE } from '../../../platform/jobs/job.js'
import { sharedLimiter, spend } from '../../../platform/limits/shared-limiter.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import type { RedisClient } from '../../../platform/redis.js'
import { emitService, shownService } from '../../services/service-writes.js'
import { Service } from '../../services/service.js'
import type { DnsTexts } from '../../../platform/outbound/dns-texts.js'
import { EMAIL, type EmailParams } from './email-params.js'
import { MailSenderProof, storeVerifiedSender } from './mail-sender.js'
import { SENDER_MAIL } from './sender-mail.js'
import type { Sender, SenderProofs } from './sender-proofs.js'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const TRIES_PER_HOUR = 20
/** Limit per address, whoever requests it, so that nobody's mailbox is flooded. */
const MAILS_PER_ADDRESS_AND_HOUR = 3
const MAILS_PER_TREE_AND_DAY = 50

export interface SenderVerificationOptions {
  transact: Transact
  proofs: SenderProofs
  dns: DnsTexts
  mailer: Pick<Mailer, 'isSet'>
  redis: RedisClient | undefined
}

/** Verifies that an organization may send from the address of one of its services. */
export class SenderVerification {
  readonly #tries: RateLimiterAbstract
  readonly #addresses: RateLimiterAbstract
  readonly #trees: RateLimiterAbstract

  constructor(private readonly options: SenderVerificationOptions) {
    const { redis } = options
    const limiter = (keyPrefix: string, points: number, duration: number): RateLimiterAbstract =>
      sharedLimiter({ keyPrefix, points, duration }, redis)
    this.#tries = limiter('sender-try', TRIES_PER_HOUR, HOUR_SECONDS)
    this.#addresses = limiter('sender-mail', MAILS_PER_ADDRESS_AND_HOUR, HOUR_SECONDS)
    this.#trees = limiter('sender-tree', MAILS_PER_TREE_AND_DAY, DAY_SECONDS)
  }

  /** Mails a code to the address. @throws NotFound, Unprocessable, RateLimited */
  async request(ctx: Context, id: string): Promise<Service> {
    const { mailer, transact } = this.options
    const { address, tree } = await fetchSender(ctx, id)
    if (!mailer.isSet)
      throw new Unprocessable('SMTP_URL is not set: no code can be mailed; prove the domain by DNS', {
        reason: 'MAIL_NOT_SET_UP',
      })
    await spend(this.#addresses, address, 1, `more than ${MAILS_PER_ADDRESS_AND_HOUR} codes an hour for ${address}`)
    await spend(this.#trees, tree, 1, `more than ${MAILS_PER_TREE_AND_DAY} codes a day`)
    return transact(ctx, async (tx) => {
      const service = await fetchRecord(ctx, Service, id, { em: tx.em, lock: true })
      const payload = { service: service.id, address: addressOf(service) }
      tx.addJob(SENDER_MAIL.create(payload, { key: `sender:${service.id}`, share: MAIL_SHARE }))
      return shownService(service)
    })
  }

  /**
   * Checks a proof and stores the verification.
   * @param code the mailed code; without it the domain's TXT record is looked up
   * @throws NotFound, Unprocessable, RateLimited
   */
  async verify(ctx: Context, { id, code }: { id: string; code: string | null }): Promise<Service> {
    const { proofs, transact } = this.options
    const sender = await fetchSender(ctx, id)
    await spend(this.#tries, sender.service, 1, `more than ${TRIES_PER_HOUR} tries an hour`)
    if (code === null) await this.#requireRecord(sender)
    else if (!proofs.isCode(sender, code)) {
      throw new Unprocessable(`the code is wrong, has expired, or is of another address than ${sender.address}`, {
        reason: 'CODE_WRONG',
        field: 'code',
      })
    }
    return transact(ctx, async (tx) => {
      const service = await fetchRecord(ctx, Service, id, { em: tx.em, lock: true })
      const address = addressOf(service)
      if (address !== sender.address)
        throw new Unprocessable(`params.address has changed to ${address} meanwhile`, { reason: 'CHANGED_MEANWHILE' })
      const verifiedBy = code === null ? MailSenderProof.DNS : MailSenderProof.MAIL
      await storeVerifiedSender(tx, service.id, { address, verifiedBy, verifiedAt: ctx.now() })
      emitService(tx, service, 'updated')
      return shownService(service)
    })
  }

  /** @throws Unprocessable naming the required record */
  async #requireRecord(sender: Sender): Promise<void> {
    const { dns, proofs } = this.options
    const [name, value] = [proofs.dnsName(sender), proofs.dnsValue(sender)]
    const found = await dns.at(name)
    if (found === null)
      throw new Unprocessable(`${name} cannot be looked up now: no name server answers for it`, {
        reason: 'SENDER_UNPROVEN',
      })
    if (!found.includes(value))
      throw new Unprocessable(`${name} has no TXT record ${value}`, { reason: 'SENDER_UNPROVEN' })
  }
}

/** @throws NotFound; Unprocessable for a service that sends no mail */
async function fetchSender(ctx: Context, id: string): Promise<Sender & { tree: string }> {
  const service = await fetchRecord(ctx, Service, id)
  return { service: service.id, organization: service.organizationId, address: addressOf(service), tree: service.org1 }
}

function addressOf({ id, type, params }: Service): string {
  const { address } = params as EmailParams
  if (type === EMAIL && address !== undefined) return address
  const reason = type === EMAIL ? 'lacks params.address' : `is of type ${quoteValue(type)}, not ${EMAIL}`
  throw new Unprocessable(`service ${id} ${reason}`, { field: 'service' })
}
