import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { DeliveryRefused } from '../adapter.js'
import { usable } from '../provider-params.js'
import { graphVersionEnd } from '../graph-version.js'
import { asTestFailure } from '../provider-test.js'
import { fetchPage } from './graph-api.js'
import { parseMessengerParams } from './messenger-params.js'

/** Asks the platform for the page of the token. A message could only answer somebody who has written. */
export function createMessengerTest(http: OutboundHttp): NonNullable<ServiceKind['test']> {
  return async ({ service, to, now, signal }) => {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    return asTestFailure(async () => {
      const params = usable(parseMessengerParams, service.params)
      const { id, name } = await fetchPage({ http, now, signal }, params)
      if (params.pageId !== undefined && params.pageId !== id) {
        throw new DeliveryRefused(`the token is of the page ${quoteValue(id)}, not of params.pageId ${params.pageId}`)
      }
      return [`the platform knows the page ${quoteValue(name)}`, graphVersionEnd(now)].filter(Boolean).join('; ')
    })
  }
}
