import { OutboundHttp } from '../../outbound/outbound-http.js'
import type { Install } from '../install.js'
import { MessengerAdapter } from './messenger-adapter.js'
import { MESSENGER_PARAMS, readMessengerParams } from './messenger-params.js'
import { createMessengerTest } from './messenger-test.js'
import { MESSENGER_EVENT, messengerEventJob, messengerRoutes } from './messenger-routes.js'

/** Installs the touchpoint of the Messenger Platform. */
export const installMessenger: Install = ({ config, database: sql, clock, jobs, inbox, deliveries }) => {
  const { attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Messenger/2', keepAlive: false })
  const options = { sql, clock, inbox, deliveries, http, attachmentBytesMax, wakeJobs: () => jobs.wake() }
  jobs.register(MESSENGER_EVENT, messengerEventJob(options))
  return {
    adapter: new MessengerAdapter({ sql, clock, http }),
    routes: messengerRoutes(options),
    kind: {
      params: MESSENGER_PARAMS,
      // `verifyToken` is presented to us and never sent.
      secrets: { pageAccessToken: ['apiUrl', 'pageId'], appSecret: ['apiUrl', 'pageId'], verifyToken: [] },
      readParams: readMessengerParams,
      test: createMessengerTest(http),
    },
    stop: async () => http.close(),
  }
}
