import type { Logger } from 'pino'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import { redactSecrets } from '../../services/redact-secrets.js'
import { DeliveryRefused } from '../adapter.js'
import { readOpenedService } from '../touchpoint-service.js'
import { callBotApi } from './bot-api.js'
import type { ReceiveTelegramOptions } from './receive-telegram.js'
import { ALLOWED_UPDATES } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'

/** The job that tells the platform where updates go: to the server's address, or nowhere, so that they can be fetched. */
export const TELEGRAM_SET_UP = defineJob<{ service: string }>('telegram.setUp', { service: 'string' })

export interface SetUpOptions extends Pick<ReceiveTelegramOptions, 'sql' | 'sealer' | 'clock' | 'http'> {
  log: Logger
  publicUrl: string
}

/** Address of a service's endpoint, as the platform knows it. */
export const webhookOf = (publicUrl: string, service: string): string => `${publicUrl}/inbound/telegram/${service}`

/** Handles `telegram.setUp`. A refusal is told by the log, and by the test of the service. */
export function telegramSetUpJob(options: SetUpOptions): JobKind<{ service: string }> {
  const { clock, http, log, publicUrl } = options
  return {
    isOutbound: true,
    async handler({ payload }) {
      const service = await readOpenedService(options, 'telegram', payload.service)
      if (!service) return
      const params = parseTelegramParams(service.params)
      if (params.botToken === undefined) return
      const { receive, webhookSecret: secret_token } = params
      const url = webhookOf(publicUrl, service.id)
      const call =
        receive === 'poll'
          ? { method: 'deleteWebhook' }
          : { method: 'setWebhook', body: { url, secret_token, allowed_updates: ALLOWED_UPDATES } }
      try {
        await callBotApi({ http, now: clock.now() }, params, call)
      } catch (error) {
        const reason = redactSecrets((error as Error).message, service.params)
        if (!(error instanceof DeliveryRefused)) throw new Error(reason, { cause: error })
        log.warn({ service: service.id, reason }, 'Telegram refused the address for updates')
      }
    },
  }
}
