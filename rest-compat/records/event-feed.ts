import { embedded, object, value, type RecordSpec } from '../record.js'

/** Events of a feed, and the place after them. */
export const eventFeedRecord: RecordSpec = {
  type: 'EventFeedPage',
  fields: {
    events: embedded({ id: value(), event: value(), at: value(), cursor: value(), payload: object() }, { lists: true }),
    cursor: value(),
    hasMore: value(),
  },
  populate: [],
}
