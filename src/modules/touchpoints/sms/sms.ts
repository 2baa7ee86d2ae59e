import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Install } from '../install.js'
import { SmsAdapter } from './sms-adapter.js'
import { readSmsParams, SMS_PARAMS } from './sms-params.js'
import { createSmsTest } from './sms-test.js'
import { SMS_MEDIA, smsMediaJob, smsRoutes } from './sms-routes.js'

/** Installs text messages by Twilio's API or a compatible one. */
export const installSms: Install = ({ config, database: sql, clock, jobs, inbox, deliveries, sealer }) => {
  const { publicUrl, attachmentBytesMax, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-SMS/2', keepAlive: false })
  const options = { sql, sealer, clock, inbox, deliveries, http, attachmentBytesMax, wakeJobs: () => jobs.wake() }
  jobs.register(SMS_MEDIA, smsMediaJob(options))
  return {
    adapter: new SmsAdapter({ sql, clock, http, publicUrl }),
    routes: smsRoutes(options),
    kind: {
      touchpoint: 'sms',
      params: SMS_PARAMS,
      secrets: { authToken: ['apiUrl', 'accountSid'] },
      readParams: readSmsParams,
      test: createSmsTest({ sql, http }),
    },
    stop: async () => http.close(),
  }
}
