import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Install } from '../install.js'
import { graphVersionEnd } from '../graph-version.js'
import { MessengerAdapter } from './messenger-adapter.js'
import { MESSENGER_PARAMS, readMessengerParams } from './messenger-params.js'
import { createMessengerTest } from './messenger-test.js'
import { MESSENGER_WINDOW } from './reply-window.js'
import { MESSENGER_EVENT, messengerEventJob, messengerRoutes } from './messenger-routes.js'

/** Installs the touchpoint of the Messenger Platform. */
export const installMessenger: Install = ({ config, database: sql, clock, jobs, log, inbox, deliveries, sealer }) => {
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Messenger/2', keepAlive: false })
  const options = { sql, sealer, clock, inbox, deliveries, http, attachmentBytesMax, wakeJobs: () => jobs.wake() }
  jobs.register(MESSENGER_EVENT, messengerEventJob(options))
  return {
    adapter: new MessengerAdapter({ sql, clock, http }),
    routes: messengerRoutes(options),
    kind: {
      touchpoint: 'messenger',
      window: MESSENGER_WINDOW,
      params: MESSENGER_PARAMS,
      // `verifyToken` is presented to us and never sent.
      secrets: { pageAccessToken: ['apiUrl', 'pageId'], appSecret: ['apiUrl', 'pageId'], verifyToken: [] },
      readParams: readMessengerParams,
      test: createMessengerTest(http),
    },
    async start() {
      const end = graphVersionEnd(clock.now())
      if (end) log.warn(end)
    },
    stop: async () => http.close(),
  }
}
