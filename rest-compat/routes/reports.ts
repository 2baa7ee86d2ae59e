import { path, type Route, type Source } from '../route.js'

const query = (name: string, description: string): Source => ({ from: 'query', name, description })
const list = (name: string, what: string): Source => ({
  ...{ from: 'query', name, isList: true },
  description: `Comma-separated list of ${what}.`,
})
const AT = 'a quarter of an hour, such as `2026-03-01T00:00:00Z`'

/** Numbers as CSV, one metric a request; GraphQL has the rows behind them too. */
export const reportRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/reports/:metric',
    tag: 'Reports',
    operationId: 'getReport',
    summary: 'Read a report as CSV.',
    notes:
      'The metrics are those of `ReportMetric` in the GraphQL schema, such as `created`, `accepted`, `waitTime` or `closed`. ' +
      'Durations are in seconds. For administrators, and supervisors of channels.',
    cites: '4.3',
    operation: `query Report($metric: ReportMetric!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!,
      $timezone: String, $channels: [ID!], $users: [ID!], $touchpoints: [Touchpoint!], $categories: [String!],
      $organizations: [ID!]) {
      result: report(metrics: [$metric], by: $by, from: $from, to: $to, timezone: $timezone, filter: {
        channels: $channels, users: $users, touchpoints: $touchpoints, categories: $categories, organizations: $organizations
      }) { csv }
    }`,
    variables: {
      metric: path('metric'),
      by: list('by', 'hour, day, week, month (one of them), channel, user, touchpoint, category, organization'),
      from: query('from', `Beginning: ${AT}.`),
      to: query('to', `End, excluded: ${AT}, at most 400 days later.`),
      timezone: query('timezone', 'IANA time zone of days, weeks and months; UTC by default.'),
      channels: list('channels', 'ids: only what counts for any of these channels'),
      users: list('users', 'ids: only what these agents did'),
      touchpoints: list('touchpoints', 'touchpoints'),
      categories: list('categories', 'categories'),
      organizations: list('organizations', 'ids'),
    },
    result: { kind: 'text', field: 'csv', type: 'text/csv' },
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/users/me/reports/:metric',
    tag: 'Reports',
    operationId: 'getMyReport',
    summary: "Read the caller's own numbers as CSV.",
    notes: 'Metrics of what agents do, such as `handled`, `handleTime`, `transferred`, `occupancy` or `concurrency`.',
    cites: '4.3',
    operation: `query MyReport($metric: ReportMetric!, $by: [ReportDimension!], $from: DateTime, $to: DateTime,
      $timezone: String) {
      result: myReport(metrics: [$metric], by: $by, from: $from, to: $to, timezone: $timezone) { csv }
    }`,
    variables: {
      metric: path('metric'),
      by: list('by', 'hour, day, week, month (one of them), channel, touchpoint, category, organization'),
      from: query('from', `Beginning: ${AT}. Without \`from\` and \`to\`, today.`),
      to: query('to', `End, excluded: ${AT}.`),
      timezone: query('timezone', 'IANA time zone of days, weeks and months; that of the organization by default.'),
    },
    result: { kind: 'text', field: 'csv', type: 'text/csv' },
    status: 200,
  },
]
