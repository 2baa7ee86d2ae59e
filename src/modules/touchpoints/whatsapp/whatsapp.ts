import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { ReplyWindow } from '../../services/service-kinds.js'
import { TEMPLATE_SYNC } from '../../services/template-sync.js'
import { graphVersionEnd } from '../graph-version.js'
import type { Install } from '../install.js'
import { WhatsappAdapter } from './whatsapp-adapter.js'
import { fetchTemplates } from './fetch-templates.js'
import { parseWhatsappParams, readWhatsappParams, WHATSAPP_PARAMS } from './whatsapp-params.js'
import { WHATSAPP_EVENT, whatsappEventJob, whatsappRoutes } from './whatsapp-routes.js'
import { createWhatsappTest } from './whatsapp-test.js'

/** The platform's customer service window. */
const DAY_MS = 24 * 3_600_000
const WINDOW: ReplyWindow = { peopleMs: DAY_MS, machinesMs: DAY_MS }

/** Installs the WhatsApp Business Platform (Cloud API), a provider of the social messenger. */
export const installWhatsapp: Install = ({ config, database: sql, clock, jobs, log, inbox, deliveries, sealer }) => {
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-WhatsApp/2', keepAlive: false })
  const options = { sql, sealer, clock, log, inbox, deliveries, http, attachmentBytesMax, wakeJobs: () => jobs.wake() }
  jobs.register(WHATSAPP_EVENT, whatsappEventJob(options))
  return {
    adapter: new WhatsappAdapter({ sql, clock, http }),
    routes: whatsappRoutes(options),
    kind: {
      touchpoint: 'messenger',
      window: WINDOW,
      params: WHATSAPP_PARAMS,
      // `verifyToken` is presented to us and never sent.
      secrets: {
        accessToken: ['apiUrl', 'phoneNumberId', 'wabaId'],
        appSecret: ['apiUrl', 'phoneNumberId'],
        verifyToken: [],
      },
      readParams: readWhatsappParams,
      written: async (_ctx, tx, { service: { id }, params }) => {
        const { wabaId, accessToken } = parseWhatsappParams(params)
        if (wabaId && accessToken)
          tx.addJob(TEMPLATE_SYNC.create({ service: id }, { key: `template.sync:${id}`, share: id }))
      },
      test: createWhatsappTest(http),
      fetchTemplates: (service, now) => fetchTemplates({ http, now }, parseWhatsappParams(service.params)),
    },
    async start() {
      const end = graphVersionEnd(clock.now())
      if (end) log.warn(end)
    },
    stop: async () => http.close(),
  }
}
