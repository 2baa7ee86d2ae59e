import type { Logger } from 'pino'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { Transact } from '../../../platform/events/transact.js'
import { hidingSecrets } from '../../services/hide-secrets.js'
import { noteProblem } from '../../services/service-problem.js'
import { DeliveryRefused, ServiceRefused } from '../adapter.js'
import { readOpenedService } from '../touchpoint-service.js'
import { callBotApi } from './bot-api.js'
import type { ReceiveTelegramOptions } from './receive-telegram.js'
import { ALLOWED_UPDATES } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'

/** The job that tells the platform where updates go: to the server's address, or nowhere, so that they can be fetched. */
export const TELEGRAM_SET_UP = defineJob<{ service: string }>('telegram.setUp', { service: 'string' })

export interface SetUpOptions extends Pick<
  ReceiveTelegramOptions,
  'sql' | 'sealer' | 'clock' | 'http' | 'systemContext'
> {
  transact: Transact
  log: Logger
  publicUrl: string
}

/** Address of a service's endpoint, as the platform knows it. */
export const webhookOf = (publicUrl: string, service: string): string => `${publicUrl}/inbound/telegram/${service}`

/** Handles `telegram.setUp`. A refusal is told by the service, the log, and the test of the service; it is tried again once the service is saved. */
export function telegramSetUpJob(options: SetUpOptions): JobKind<{ service: string }> {
  const { clock, http, log, publicUrl, systemContext, transact } = options
  return {
    isOutbound: true,
    async handler({ id: job, payload }) {
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
        await hidingSecrets(service.params, () => callBotApi({ http, now: clock.now() }, params, call))
      } catch (error) {
        if (!(error instanceof DeliveryRefused) && !(error instanceof ServiceRefused)) throw error
        const { message: problem } = error
        await noteProblem(systemContext(job), transact, { service: service.id, problem })
        log.warn({ service: service.id, reason: problem }, 'Telegram refused the address for updates')
      }
    },
  }
}
