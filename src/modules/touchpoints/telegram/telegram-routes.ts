import type { Logger } from 'pino'
import { Forbidden } from '../../../platform/errors.js'
import { addJobs, inboundShare, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import { parseRequestJson, PROVIDER_VALUES_MAX } from '../../../platform/request-json.js'
import { noteUnnamed } from '../../services/service-check.js'
import { hidingSecrets } from '../../services/hide-secrets.js'
import { isSameSecret } from '../hub-routes.js'
import type { InboundHead, InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { readOpenedService } from '../touchpoint-service.js'
import { receiveTelegram, type ReceiveTelegramOptions } from './receive-telegram.js'
import { telegramEvent, type TelegramEvent } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'

export interface TelegramRoutesOptions extends ReceiveTelegramOptions {
  log: Logger
  wakeJobs(): void
}

interface EventOfBot {
  service: string
  /** The bot's id. */
  bot: string
  addresses: string[]
  event: TelegramEvent
}

/** A service, and the bot that it had when an update came. */
export type OfBot = Pick<EventOfBot, 'service' | 'bot'>

/** The job that processes one update. */
export const TELEGRAM_EVENT = defineJob<EventOfBot>('telegram.event', {
  service: 'string',
  bot: 'string',
  addresses: 'array',
  event: 'object',
})

const BODY_BYTES_MAX = 1_048_576
/** About half a minute, including the pauses. */
const TRIES_MAX = 6

/** Endpoint of the platform: `/inbound/telegram/<service>`, proved by the secret that it was given with the address. */
export function telegramRoutes(options: TelegramRoutesOptions): InboundRoute[] {
  const handle = async (request: InboundRequest): Promise<InboundReply> => {
    const { service, body } = request
    const { bot } = parseTelegramParams(service.params)
    const update = parseRequestJson(body.toString(), 'body', PROVIDER_VALUES_MAX)
    if (bot !== undefined) await takeUpdates(options, { service: service.id, bot }, [update])
    return { status: 200, type: 'text/plain; charset=utf-8', body: 'OK' }
  }
  return [
    {
      type: 'telegram',
      method: 'POST',
      path: '',
      bytesMax: BODY_BYTES_MAX,
      admit: requireSecret,
      isSigned: 'head',
      handle,
    },
  ]
}

/** @throws Forbidden for a secret other than the service's */
function requireSecret({ service, headers }: InboundHead): void {
  const { webhookSecret } = parseTelegramParams(service.params)
  const given = headers['x-telegram-bot-api-secret-token']
  if (webhookSecret !== undefined && typeof given === 'string' && isSameSecret(given, webhookSecret)) return
  throw new Forbidden('X-Telegram-Bot-Api-Secret-Token is invalid', { reason: 'SIGNATURE_INVALID' })
}

export function telegramEventJob(options: TelegramRoutesOptions): JobKind<EventOfBot> {
  return {
    attemptsMax: TRIES_MAX,
    isOutbound: true,
    async handler({ payload, attempts }) {
      const service = await readOpenedService(options, 'telegram', payload.service)
      if (!service) return
      const received = { service, bot: payload.bot, event: payload.event, isLastTry: attempts >= TRIES_MAX }
      await hidingSecrets(service.params, () => receiveTelegram(options, received))
    },
  }
}

/** Stores updates before the platform is answered. Those of one chat are processed in order; what has no use is counted. */
async function takeUpdates(options: TelegramRoutesOptions, of: OfBot, updates: unknown[]): Promise<void> {
  const events = updates.map(telegramEvent)
  await addJobs(options.sql, jobsOf(options, of, events), options.clock)
  await noteOthers(options, of.service, events)
  options.wakeJobs()
}

/** Counts those that have no use here. */
export function noteOthers(
  { sql, clock }: Pick<TelegramRoutesOptions, 'sql' | 'clock'>,
  service: string,
  events: readonly TelegramEvent[],
): Promise<void> {
  const unnamed = events.flatMap((event) => (event.kind === 'other' ? [event.field] : []))
  return noteUnnamed(sql, service, unnamed, clock.now())
}

/** Returns the jobs of updates, in order. */
export function jobsOf(
  { log }: Pick<TelegramRoutesOptions, 'log'>,
  { service, bot }: OfBot,
  events: readonly TelegramEvent[],
): NewJob[] {
  return events.flatMap((event): NewJob[] => {
    if (event.kind !== 'other') {
      const key = `telegram:${service}:${event.chat}`
      return [
        TELEGRAM_EVENT.create({ service, bot, addresses: [event.chat], event }, { key, share: inboundShare(service) }),
      ]
    }
    log.info({ service, update: event.field }, 'an update of Telegram has no use here')
    return []
  })
}
