import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Install } from '../install.js'
import { SMS_FORMATS, SmsAdapter } from './sms-adapter.js'
import { SMS_SETTINGS } from './settings.js'
import { readSmsParams } from './sms-params.js'
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
      formats: SMS_FORMATS,
      ...SMS_SETTINGS,
      readParams: readSmsParams,
      test: createSmsTest({ sql, http }),
      isChecked: true,
    },
    stop: async () => http.close(),
  }
}
