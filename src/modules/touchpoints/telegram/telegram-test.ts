import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isPlainObject } from '../../../platform/json.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { DeliveryRefused } from '../adapter.js'
import { usable } from '../provider-params.js'
import { asTestFailure } from '../provider-test.js'
import { callBotApi } from './bot-api.js'
import { webhookOf } from './set-up-job.js'
import { parseTelegramParams } from './telegram-params.js'

/** Asks the platform for the bot, and whether its updates come here. A message could only answer somebody who has written. */
export function createTelegramTest(http: OutboundHttp, publicUrl: string): NonNullable<ServiceKind['test']> {
  return async ({ service, to, now, signal }) => {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    return asTestFailure(async () => {
      const params = usable(parseTelegramParams, service.params)
      const ask = async (method: string): Promise<Record<string, unknown>> => {
        const found = await callBotApi({ http, now, signal }, params, { method })
        return isPlainObject(found) ? found : {}
      }
      const bot = await ask('getMe')
      const { url, pending_update_count: waiting, last_error_message: problem } = await ask('getWebhookInfo')
      const wanted = params.receive === 'poll' ? '' : webhookOf(publicUrl, service.id)
      if (url !== wanted) throw new DeliveryRefused(elsewhere(wanted, url))
      return [
        `the platform knows the bot ${quoteValue(`@${String(bot.username)}`)}`,
        wanted === '' ? 'its updates are fetched' : `its updates come to ${wanted}`,
        typeof waiting === 'number' && waiting > 0 && `${waiting} wait there`,
        typeof problem === 'string' && `the last call failed: ${quoteValue(problem)}`,
        bot.can_join_groups === true &&
          'it can be added to groups, which it leaves: /setjoingroups of @BotFather ends that',
      ]
        .filter(Boolean)
        .join('; ')
    })
  }
}

function elsewhere(wanted: string, url: unknown): string {
  const there = typeof url === 'string' && url !== '' ? `go to ${quoteValue(url)}` : 'go nowhere'
  const fix = wanted === '' ? 'so that none can be fetched' : `not to ${wanted}`
  return `the bot's updates ${there}, ${fix}: save the service again; the platform only takes addresses with https on the ports 443, 80, 88 and 8443`
}
