import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Install } from '../install.js'
import { BotPace } from './bot-pace.js'
import { keepPolling, pollJobOf, pollKey, TELEGRAM_POLL, telegramPollJob } from './poll-job.js'
import { TELEGRAM_SET_UP, telegramSetUpJob } from './set-up-job.js'
import { TelegramAdapter } from './telegram-adapter.js'
import { parseTelegramParams, readTelegramParams, TELEGRAM_PARAMS } from './telegram-params.js'
import { TELEGRAM_EVENT, telegramEventJob, telegramRoutes } from './telegram-routes.js'
import { createTelegramTest } from './telegram-test.js'

/** Installs Telegram (Bot API), a provider of the social messenger. Whoever has started the bot can be answered for ever. */
export const installTelegram: Install = (parts) => {
  const { attachments, clock, config, database, inbox, jobs, log, redis, sealer, systemContext, writer } = parts
  const { attachmentBytesMax, publicUrl, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Telegram/1', keepAlive: false })
  const stopping = new AbortController()
  const shared = { sql: database, sealer, clock, log, http, wakeJobs: () => jobs.wake() }
  const options = { ...shared, inbox, writer, attachmentBytesMax, systemContext }
  jobs.register(TELEGRAM_EVENT, telegramEventJob(options))
  jobs.register(TELEGRAM_POLL, telegramPollJob({ ...options, database, stopped: stopping.signal }))
  jobs.register(TELEGRAM_SET_UP, telegramSetUpJob({ ...shared, publicUrl }))
  return {
    adapter: new TelegramAdapter({ sql: database, clock, http, pace: new BotPace(redis), store: attachments.store }),
    routes: telegramRoutes(options),
    maintenance: [keepPolling(options)],
    kind: {
      touchpoint: 'messenger',
      params: TELEGRAM_PARAMS,
      // `webhookSecret` is given to the platform together with the token.
      secrets: { botToken: ['apiUrl'], webhookSecret: ['apiUrl'] },
      readParams: readTelegramParams,
      written: async (_ctx, tx, { service: { id, status }, params }) => {
        const { botToken, receive } = parseTelegramParams(params)
        if (botToken === undefined || status !== 'active') return
        tx.addJob(TELEGRAM_SET_UP.create({ service: id }, { key: pollKey(id), share: id }))
        if (receive === 'poll') tx.addJob(pollJobOf(id))
      },
      test: createTelegramTest(http, publicUrl),
    },
    async stop() {
      stopping.abort()
      http.close()
    },
  }
}
