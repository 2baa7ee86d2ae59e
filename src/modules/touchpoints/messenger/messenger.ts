import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Install } from '../install.js'
import { claimAccount } from '../claim-account.js'
import { graphVersionEnd } from '../graph-version.js'
import { hubEventJob, hubEventRoutes, type HubEventOptions } from '../hub-event-job.js'
import { HUMAN_WINDOW } from '../human-window.js'
import { fetchPersonName } from './graph-api.js'
import { MessengerAdapter } from './messenger-adapter.js'
import { MESSENGER_SETTINGS } from './settings.js'
import { parseMessengerParams, readMessengerParams } from './messenger-params.js'
import { createMessengerTest } from './messenger-test.js'
import { MESSENGER_FORMATS } from './messenger-parts.js'
import { MESSENGER, MESSENGER_EVENT } from './messenger-platform.js'

/** Installs the touchpoint of the Messenger Platform. */
export const installMessenger: Install = (parts) => {
  const { config, database: sql, clock, jobs, log, inbox, deliveries, sealer, systemContext, transact, writer } = parts
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Messenger/2', keepAlive: false })
  const shared = { sql, sealer, clock, log, inbox, deliveries, systemContext, transact, writer }
  const options: HubEventOptions = {
    ...shared,
    http,
    attachmentBytesMax,
    fetchName: async (client, { params }, person) => fetchPersonName(client, parseMessengerParams(params), person),
    wakeJobs: () => jobs.wake(),
  }
  jobs.register(MESSENGER_EVENT, hubEventJob(options, MESSENGER))
  return {
    adapter: new MessengerAdapter({ sql, clock, http }),
    routes: hubEventRoutes(options, MESSENGER),
    kind: {
      touchpoint: 'messenger',
      provider: 'Messenger',
      formats: MESSENGER_FORMATS,
      window: HUMAN_WINDOW,
      ...MESSENGER_SETTINGS,
      readParams: readMessengerParams,
      written: (_ctx, tx, written) => claimAccount(sealer, tx, MESSENGER, written),
      test: createMessengerTest(http),
      isChecked: true,
    },
    async start() {
      const end = graphVersionEnd(clock.now())
      if (end) log.warn(end)
    },
    stop: async () => http.close(),
  }
}
