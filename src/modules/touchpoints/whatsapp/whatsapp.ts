import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ReplyWindow } from '../../services/service-kinds.js'
import { TEMPLATE_SYNC } from '../../services/template-sync.js'
import { claimAccount } from '../claim-account.js'
import { graphVersionEnd } from '../graph-version.js'
import type { Install } from '../install.js'
import { ProviderPace, type PaceLimits } from '../provider-pace.js'
import { WhatsappAdapter } from './whatsapp-adapter.js'
import { fetchTemplates } from './fetch-templates.js'
import { WHATSAPP_SETTINGS } from './settings.js'
import { parseWhatsappParams, readWhatsappParams } from './whatsapp-params.js'
import { WHATSAPP_FORMATS } from './whatsapp-parts.js'
import { WHATSAPP_EVENT, WHATSAPP_NUMBER, whatsappEventJob, whatsappRoutes } from './whatsapp-routes.js'
import { createWhatsappTest } from './whatsapp-test.js'

/** The platform's customer service window. */
const DAY_MS = 24 * 3_600_000
const WINDOW: ReplyWindow = { peopleMs: DAY_MS, machinesMs: DAY_MS }
/**
 * The platform's limits: 80 a second of a number, and one in six seconds to a person, of which it takes several at once as
 * long as a pause follows.
 */
const PACE: PaceLimits = {
  sender: { keyPrefix: 'whatsapp-number', points: 80, duration: 1 },
  person: { keyPrefix: 'whatsapp-person', points: 10, duration: 60 },
}

/** Installs the WhatsApp Business Platform (Cloud API), a provider of the social messenger. */
export const installWhatsapp: Install = (parts) => {
  const { config, database: sql, clock, jobs, log, inbox, deliveries, redis, sealer, systemContext, writer } = parts
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-WhatsApp/2', keepAlive: false })
  const shared = { sql, sealer, clock, log, inbox, deliveries, systemContext, writer }
  const options = { ...shared, http, attachmentBytesMax, wakeJobs: () => jobs.wake() }
  jobs.register(WHATSAPP_EVENT, whatsappEventJob(options))
  return {
    adapter: new WhatsappAdapter({ sql, clock, http, pace: new ProviderPace(redis, PACE) }),
    routes: whatsappRoutes(options),
    kind: {
      touchpoint: 'messenger',
      provider: 'WhatsApp',
      formats: WHATSAPP_FORMATS,
      window: WINDOW,
      ...WHATSAPP_SETTINGS,
      readParams: readWhatsappParams,
      written: async (_ctx, tx, written) => {
        await claimAccount(sealer, tx, WHATSAPP_NUMBER, written)
        const { id } = written.service
        const { wabaId, accessToken } = parseWhatsappParams(written.params)
        if (wabaId && accessToken)
          tx.addJob(TEMPLATE_SYNC.create({ service: id }, { key: `template.sync:${id}`, share: id }))
      },
      test: createWhatsappTest(http),
      isChecked: true,
      fetchTemplates: (service, now) => fetchTemplates({ http, now }, parseWhatsappParams(service.params)),
    },
    async start() {
      const end = graphVersionEnd(clock.now())
      if (end) log.warn(end)
    },
    stop: async () => http.close(),
  }
}
