import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { serverSecret } from '../../auth/server-secret.js'
import type { Install } from '../install.js'
import { ProviderPace, type PaceLimits } from '../provider-pace.js'
import { callBotApi } from './bot-api.js'
import { BotClaims } from './claim-bot.js'
import { POLLS_MAX } from './poll-places.js'
import { hurryPolls, keepPolling, pollJobOf, pollKey, TELEGRAM_POLL, telegramPollJob } from './poll-job.js'
import { TELEGRAM_SET_UP, telegramSetUpJob } from './set-up-job.js'
import { TelegramAdapter } from './telegram-adapter.js'
import { TELEGRAM_FORMATS } from './telegram-parts.js'
import { TELEGRAM_SETTINGS } from './settings.js'
import { parseTelegramParams, readTelegramParams } from './telegram-params.js'
import { TELEGRAM_EVENT, telegramEventJob, telegramRoutes } from './telegram-routes.js'
import { createTelegramTest } from './telegram-test.js'

const TELEGRAM = 'telegram'
/** The platform's limits: of a bot, and of one chat. */
const PACE: PaceLimits = {
  sender: { keyPrefix: 'telegram-bot', points: 30, duration: 1 },
  person: { keyPrefix: 'telegram-chat', points: 1, duration: 1 },
}

/** Installs Telegram (Bot API), a provider of the social messenger. Whoever has started the bot can be answered for ever. */
export const installTelegram: Install = async (parts) => {
  const { attachments, clock, config, database, inbox, jobs, log, redis, sealer, systemContext, transact, writer } =
    parts
  const { attachmentBytesMax, publicUrl, webhookAllowPrivate: allowPrivate } = config
  const outbound = { allowPrivate, userAgent: 'Switchboard-Telegram/1', keepAlive: false }
  const http = new OutboundHttp(outbound)
  // Connections of their own: those that wait for updates would keep messages waiting.
  const polling = new OutboundHttp({ ...outbound, socketsPerHost: POLLS_MAX })
  const stopping = new AbortController()
  const claims = new BotClaims(await serverSecret(database, sealer, 'bots'))
  const shared = { sql: database, sealer, clock, log, http, systemContext, transact, wakeJobs: () => jobs.wake() }
  const options = { ...shared, inbox, writer, attachmentBytesMax }
  jobs.register(TELEGRAM_EVENT, telegramEventJob(options))
  jobs.register(TELEGRAM_POLL, telegramPollJob({ ...options, polling, database, stopped: stopping.signal }))
  jobs.register(TELEGRAM_SET_UP, telegramSetUpJob({ ...shared, publicUrl }))
  return {
    adapter: new TelegramAdapter({
      sql: database,
      clock,
      http,
      pace: new ProviderPace(redis, PACE),
      store: attachments.store,
    }),
    routes: telegramRoutes(options),
    maintenance: [keepPolling(options)],
    kind: {
      touchpoint: 'messenger',
      provider: 'Telegram',
      formats: TELEGRAM_FORMATS,
      ...TELEGRAM_SETTINGS,
      readParams: readTelegramParams,
      written: async (ctx, tx, { service: { id, status }, params, before }) => {
        const { bot, botToken, receive } = parseTelegramParams(params)
        const isOn = botToken !== undefined && status === 'active'
        await claims.claim(tx, id, isOn ? botToken : null)
        if (isOn) {
          await hurryPolls(tx, id, ctx.now())
          tx.addJob(TELEGRAM_SET_UP.create({ service: id }, { key: pollKey(id), share: id }))
          if (receive === 'poll') tx.addJob(pollJobOf(id))
        }
        const earlier = before?.type === TELEGRAM ? parseTelegramParams(before.params) : null
        // Best effort: its calls have no secret any more that is taken.
        if (earlier?.bot !== undefined && earlier.bot !== bot)
          return () =>
            callBotApi({ http, now: ctx.now(), timeoutMs: 3_000 }, earlier, { method: 'deleteWebhook' }).catch(
              () => null,
            )
      },
      removed: (_ctx, tx, { id }) => claims.claim(tx, id, null),
      test: createTelegramTest(http, publicUrl),
      isChecked: true,
    },
    async stop() {
      stopping.abort()
      http.close()
      polling.close()
    },
  }
}
