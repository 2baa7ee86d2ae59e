import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { DeliveryRefused } from '../adapter.js'
import { graphVersionEnd } from '../graph-version.js'
import { usable } from '../provider-params.js'
import { asTestFailure } from '../provider-test.js'
import { tokenEnd } from '../../services/service-token.js'
import { fetchAccount, fetchSubscription } from './instagram-api.js'
import { parseInstagramParams } from './instagram-params.js'

/** Without it nothing arrives. */
const NEEDED = 'messages'
const WANTED = ['messaging_postbacks', 'messaging_seen', 'message_reactions']

/** Asks the platform for the account, and whether its events come here. A message could only answer somebody who has written. */
export function createInstagramTest(sql: Sql, http: OutboundHttp): NonNullable<ServiceKind['test']> {
  return async ({ service, to, now, signal }) => {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    return asTestFailure(async () => {
      const params = usable(parseInstagramParams, service.params)
      const client = { http, now, signal }
      const { id, ownId, name } = await fetchAccount(client, params)
      if (params.accountId !== id) {
        const other = params.accountId === ownId ? 'that is the id which only the app knows: events name' : 'it is of'
        throw new DeliveryRefused(
          `params.accountId ${params.accountId ?? 'is missing'} is not that of the token: ${other} the account ${quoteValue(id)}`,
        )
      }
      const fields = await fetchSubscription(client, params)
      if (!fields.has(NEEDED))
        throw new DeliveryRefused(`events of the account do not come here: subscribe its field ${NEEDED} to the app`)
      const missing = WANTED.filter((field) => !fields.has(field))
      const end = await tokenEnd(sql, service.id)
      const found = [
        `the platform knows the account ${quoteValue(name)}, and its messages come here`,
        missing.length > 0 && `not subscribed: ${missing.join(', ')}`,
        end && `the access token lasts until ${end.toISOString().slice(0, 10)}, and is replaced before`,
        graphVersionEnd(now),
      ]
      return found.filter(Boolean).join('; ')
    })
  }
}
