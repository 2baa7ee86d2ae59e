import { parseTelephone } from '../../contacts/identifiers.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { asTestFailure } from '../provider-test.js'
import { usable } from '../provider-params.js'
import { optedOutAt } from '../../services/opt-outs.js'
import { parseSmsParams } from './sms-params.js'
import { fetchTwilioAccount, sendByTwilio } from './twilio-api.js'
import { DeliveryRefused } from '../adapter.js'

/** Sends a text to `to`; without it asks the provider for the account, which shows that its credentials are right. */
export function createSmsTest({ sql, http }: { sql: Sql; http: OutboundHttp }): NonNullable<ServiceKind['test']> {
  return async ({ service, to, now, signal }) => {
    const number = to === null ? null : parseTelephone(to, 'to', null)
    return asTestFailure(async () => {
      const params = usable(parseSmsParams, service.params)
      const client = { http, now, signal }
      if (number === null) return fetchTwilioAccount(client, params)
      const at = await optedOutAt(sql, { service: service.id, address: number })
      if (at) throw new DeliveryRefused(`${number} opted out of SMS at ${at.toISOString()}, until it sends START`)
      await sendByTwilio(client, params, { to: number, body: `A test of ${service.name ?? 'the SMS service'}.` })
      return `the provider took a text for ${number}`
    })
  }
}
