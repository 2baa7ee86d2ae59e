import { eventFeedRecord } from '../records/event-feed.js'
import { record, type Route, type Source } from '../route.js'

const query = (name: string, description: string, isList?: true): Source => ({
  from: 'query',
  name,
  description,
  ...(isList && { isList }),
})

/** The feed of events, by cursor. */
export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/events',
    tag: 'Services',
    operationId: 'readEvents',
    summary: 'Read the events that a webhook would have received, of the last 7 days, from a cursor on.',
    notes:
      'Needs a service of type `feed`, which keeps the events of its organization and those below. None is left out, and those of each ' +
      'conversation are in order. Ask again with the `cursor` as `after`. A cursor after which something is missing is refused with 422.',
    cites: '2.12, 6, rule 4',
    operation:
      'query ReadEvents($service: ID, $after: String, $since: DateTime, $types: [String!], $limit: Int, $waitSeconds: Int) ' +
      '{ result: eventFeed(service: $service, after: $after, since: $since, types: $types, limit: $limit, waitSeconds: $waitSeconds) { ...Record } }',
    variables: {
      service: query('service', "A service of type `feed`; by default that of the caller's organization."),
      after: query('after', 'Cursor of an earlier answer. Without it and `since`: from the oldest event that is kept.'),
      since: query('since', 'In place of a cursor: from this time on.'),
      types: query('types', 'Names of events, in which `*` stands for any text: `message.create.*`.', true),
      limit: query('limit', 'Number of events at most, 50 by default, at most 500.'),
      waitSeconds: query('waitSeconds', 'Time to wait for an event if there is none, 0 to 25 s; 0 by default.'),
    },
    result: record(eventFeedRecord),
    status: 200,
  },
]
