import { createECDH, createHash } from 'node:crypto'
import { encrypt } from 'http_ece'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import { finishJob, RetryLater, type LeasedJob } from '../../platform/jobs/job.js'
import { defineJob, ENDED, type JobKind } from '../../platform/jobs/job-type.js'
import { OutboundFailure, type OutboundAnswer, type OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { NOT_ALLOWED } from '../../platform/outbound/public-addresses.js'
import { retryAfterMs, retryDelayMs } from '../../platform/outbound/retries.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { isLiveSql } from './push-subscription.js'
import type { Vapid } from './vapid.js'

/** Notifies one browser of one conversation. Ids only: what is said is read when it is sent. */
export interface Push {
  subscription: string
  conversation: string
  /** ISO time at which there was something to notify of. */
  at: string
}

export const PUSH_SEND = defineJob<Push>('push.send', { subscription: 'string', conversation: 'string', at: 'string' })

/** Content of a notification, as the service worker shows it. At most 4,096 bytes with the encryption's (RFC 8291). */
export interface PushPayload {
  conversation: string
  /** The contact's, or the conversation's own. */
  name: string
  /** 0 when it was assigned and holds nothing new. */
  unread: number
  /** The last message, for those who have notifications of each message on (2.3, `notifyOnMessage`). */
  preview?: string
  locale: string
}

export interface SendPushOptions {
  database: Database
  clock: Clock
  http: OutboundHttp
  vapid: Vapid
  sealer: Sealer
  log: Pick<Logger, 'warn'>
  /** Counts answers of push services by status; `none` is none. */
  observe?: (status: string) => void
}

/**
 * Time after which a notification is of no use to anybody: a push service keeps it for that long for a closed browser.
 */
const USEFUL_SECONDS = 3_600
const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 1_024
const NAME_CHARS_MAX = 100
const PREVIEW_CHARS_MAX = 300
/** A refusal is said again after this time: it is that of the whole installation, at every notification. */
const REMIND_MS = 3_600_000
const REFUSALS_MAX = 100

/**
 * Sends one notification. At least once to the push service: whoever dies between its answer and the commit sends it again,
 * under the same topic and tag, so that the browser shows it once.
 */
export function createPushSender(options: SendPushOptions): JobKind<Push> {
  const { clock, database, http, log, observe, sealer, vapid } = options
  const refusals = new LRUCache<string, true>({ max: REFUSALS_MAX, ttl: REMIND_MS })
  return {
    isOutbound: true,
    async handler(job) {
      const { subscription, conversation, at } = job.payload
      const isLate = clock.now().getTime() - Date.parse(at) > USEFUL_SECONDS * 1_000
      const [row] = isLate
        ? []
        : await database.query<Row>(READ, [subscription, conversation, clock.now()], 'read-push')
      // Read, revoked, or switched off meanwhile: there is nothing to tell.
      const isGone = row ? await send(opened(row), job.attempts) : false
      await end(database, job, subscription, isGone)
      return ENDED
    },
  }

  function opened(row: Row): Row {
    return { ...row, auth: sealer.open(SEALED.browserKey, row.id, row.auth) }
  }

  /** @returns whether the browser no longer takes any. @throws RetryLater */
  async function send({ endpoint, p256dh, auth, ...shown }: Row, attempt: number): Promise<boolean> {
    const payload = payloadOf(shown)
    const answer = await post(endpoint, { p256dh, auth, payload }).catch((error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error
      observe?.('none')
      if (error.message === NOT_ALLOWED) return null
      throw new RetryLater(`the push service did not answer: ${error.message}`, retryDelayMs(attempt + 2))
    })
    // A private address, which stays one.
    if (!answer) return true
    const { status } = answer
    observe?.(String(status))
    if (status === 404 || status === 410) return true
    // Another refusal does not change by asking again: this one is not sent.
    if (status < 500 && status !== 429) {
      if (status >= 300) warn(new URL(endpoint).origin, status)
      return false
    }
    const delayMs = retryAfterMs(answer.headers['retry-after'], clock.now()) ?? retryDelayMs(attempt + 2)
    throw new RetryLater(`the push service answered ${status}`, delayMs)
  }

  function warn(origin: string, status: number): void {
    const refusal = `${origin} ${status}`
    if (refusals.has(refusal)) return
    refusals.set(refusal, true)
    log.warn({ service: origin, status }, 'a push service refuses notifications: they are not sent')
  }

  async function post(
    endpoint: string,
    { p256dh, auth, payload }: { p256dh: string; auth: string; payload: PushPayload },
  ): Promise<OutboundAnswer> {
    const privateKey = createECDH('prime256v1')
    privateKey.generateKeys()
    const content = Buffer.from(JSON.stringify(payload))
    const body = encrypt(content, { version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey })
    const authorization = await vapid.authorize(endpoint, clock.now())
    return http.request({
      method: 'POST',
      url: endpoint,
      body,
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      headers: {
        authorization,
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(USEFUL_SECONDS),
        urgency: 'high',
        topic: topicOf(payload.conversation),
      },
    })
  }
}

/** A later message of the conversation replaces one that a push service has not delivered yet (RFC 8030, 5.4). */
function topicOf(conversation: string): string {
  return createHash('sha256').update(conversation).digest('base64url').slice(0, 32)
}

interface Row {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  conversation: string
  name: string
  preview: string | null
  unread: number
  locale: string | null
  showsText: boolean | null
}

function payloadOf({ conversation, name, preview, unread, locale, showsText }: Shown): PushPayload {
  return {
    conversation,
    name: name.slice(0, NAME_CHARS_MAX).toWellFormed(),
    unread,
    locale: locale ?? 'en',
    ...(showsText && preview && { preview: preview.slice(0, PREVIEW_CHARS_MAX).toWellFormed() }),
  }
}

type Shown = Omit<Row, 'id' | 'endpoint' | 'p256dh' | 'auth'>

const READ = `
select p.id, p.endpoint, p.p256dh, p.auth, c.id as conversation, coalesce(nullif(k.profile ->> 'name', ''), c.name) as name,
  c.preview, m.unread_count as unread, u.settings ->> 'locale' as locale,
  (u.settings ->> 'notifyOnMessage')::boolean as "showsText"
from push_subscription p join app_user u on u.id = p.user_id
join participant m on m.user_id = p.user_id and m.conversation_id = $2
join conversation c on c.id = m.conversation_id left join contact k on k.id = c.contact_id
where p.id = $1 and (m.inbox or (m.accepted and c.status = 'active' and m.unread_count > 0))
  and (u.settings ->> 'pushNotify')::boolean and ${isLiveSql('p', '$3')}`

/** @param isGone the push service does not know the browser any more */
async function end(database: Database, job: LeasedJob, subscription: string, isGone: boolean): Promise<void> {
  await database.sqlTransaction(async (sql) => {
    if (isGone) await sql.query('delete from push_subscription where id = $1', [subscription])
    await finishJob(sql, job)
  })
}
