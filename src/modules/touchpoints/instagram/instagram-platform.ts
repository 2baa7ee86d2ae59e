import { defineJob } from '../../../platform/jobs/job-type.js'
import type { EventOfAccount, HubMessenger } from '../hub-event-job.js'
import { hubEvents } from '../hub-events.js'
import { parseInstagramParams } from './instagram-params.js'
import { instagramParts } from './instagram-parts.js'

/** The job that processes one event. */
export const INSTAGRAM_EVENT = defineJob<EventOfAccount>('instagram.event', {
  service: 'string',
  addresses: 'array',
  event: 'object',
})

export const INSTAGRAM: HubMessenger = {
  type: 'instagram',
  param: 'accountId',
  paramsOf: parseInstagramParams,
  eventsOf: (body) => hubEvents(body, 'instagram'),
  job: INSTAGRAM_EVENT,
  partsOf: (message, file) => instagramParts(message.id, message, file && { ...file, url: '' }),
}
