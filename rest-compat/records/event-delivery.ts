import { object, value, type RecordSpec } from '../record.js'

/** An event that a consumer has taken. */
export const eventDeliveryRecord: RecordSpec = {
  type: 'EventDelivery',
  fields: { id: value(), event: value(), at: value(), payload: object(), attempt: value() },
  populate: [],
}
