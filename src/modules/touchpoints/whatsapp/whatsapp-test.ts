import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { graphVersionEnd } from '../graph-version.js'
import { usable } from '../provider-params.js'
import { asTestFailure } from '../provider-test.js'
import { fetchNumber } from './whatsapp-api.js'
import { parseWhatsappParams } from './whatsapp-params.js'

/** Asks the platform for the number. A message could only answer somebody who has written. */
export function createWhatsappTest(http: OutboundHttp): NonNullable<ServiceKind['test']> {
  return async ({ service, to, now, signal }) => {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms')
    return asTestFailure(async () => {
      const { number, name, quality } = await fetchNumber(
        { http, now, signal },
        usable(parseWhatsappParams, service.params),
      )
      const known = `the platform knows ${quoteValue(name)} by the number ${quoteValue(number)}; its quality is ${quality}`
      return { message: [known, graphVersionEnd(now)].filter(Boolean).join('; '), quality }
    })
  }
}
