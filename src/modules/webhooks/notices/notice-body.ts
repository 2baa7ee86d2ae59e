import type { NoticeFormat, WebhookFormat } from '../webhook-format.js'
import type { Notice } from './notice.js'
import { SLACK_BEGINS, slackBody } from './slack-body.js'
import { TEAMS_BEGINS, teamsBody } from './teams-body.js'

interface Form {
  build: (notice: Notice) => string
  begins: string
}

const FORMS: Readonly<Record<NoticeFormat, Form>> = {
  slack: { build: slackBody, begins: SLACK_BEGINS },
  teams: { build: teamsBody, begins: TEAMS_BEGINS },
}

/** Builds the body of a notice. */
export const noticeBody = (format: NoticeFormat, notice: Notice): string => FORMS[format].build(notice)

/** Tells whether a stored body is in this format: a webhook may have had another one when it was made. */
export function isInFormat(body: string, format: WebhookFormat): boolean {
  const others = Object.entries(FORMS).filter(([name]) => name !== format)
  return format === 'json'
    ? others.every(([, { begins }]) => !body.startsWith(begins))
    : body.startsWith(FORMS[format].begins)
}
