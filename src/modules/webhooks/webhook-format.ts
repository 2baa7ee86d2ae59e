import type { JsonObject } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const WebhookFormat = graphqlEnum('WebhookFormat', 'The form in which a webhook is told of events.', {
  JSON: ['json', 'The event with its records.'],
  SLACK: [
    'slack',
    "A notice for people, as an incoming webhook of Slack takes it. The receiver's answer adds no messages.",
  ],
  TEAMS: [
    'teams',
    "A notice for people, as an Adaptive Card for a workflow of Microsoft Teams. The receiver's answer adds no messages.",
  ],
})
export type WebhookFormat = (typeof WebhookFormat)[keyof typeof WebhookFormat]
/** Formats of notices for people. */
export type NoticeFormat = Exclude<WebhookFormat, 'json'>

export const WEBHOOK_FORMATS = Object.values(WebhookFormat)

/** SQL: whether the params at an alias ask for notices. */
export const asksForNoticesSql = (params: string): string => `(coalesce(${params} ->> 'format', 'json') <> 'json')`

/** Returns the format of a webhook's params, which were checked when they were written. */
export function formatOf({ format }: JsonObject): WebhookFormat {
  return WEBHOOK_FORMATS.find((each) => each === format) ?? 'json'
}
