import { defineJob } from '../../../platform/jobs/job-type.js'
import type { EventOfAccount, HubMessenger } from '../hub-event-job.js'
import { messengerEvents } from './messenger-events.js'
import { parseMessengerParams } from './messenger-params.js'

/** The job that processes one event. */
export const MESSENGER_EVENT = defineJob<EventOfAccount>('messenger.event', {
  service: 'string',
  addresses: 'array',
  event: 'object',
})

export const MESSENGER: HubMessenger = {
  type: 'messenger',
  param: 'pageId',
  paramsOf: parseMessengerParams,
  eventsOf: messengerEvents,
  job: MESSENGER_EVENT,
}
