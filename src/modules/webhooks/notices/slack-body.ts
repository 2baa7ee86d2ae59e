import type { Notice } from './notice.js'

/** The beginning of a body, by which it is told from those of other formats. */
export const SLACK_BEGINS = '{"text":'

/**
 * Builds the body of a notice for an incoming webhook of Slack: blocks, and `text` for notifications. All that people wrote is
 * escaped, so that it names no user, channel or link; `verbatim` keeps Slack from finding such in it by itself.
 */
export function slackBody({ says, about, text, link }: Notice): string {
  const said = escaped(says)
  const quoted =
    text === null
      ? null
      : text
          .split('\n')
          .map((line) => `>${escaped(line)}`)
          .join('\n')
  const context = { type: 'context', elements: [words(about.map(escaped).join(' · '))] }
  return JSON.stringify({
    text: said,
    blocks: [
      section(said),
      ...(about.length > 0 ? [context] : []),
      ...(quoted === null ? [] : [section(quoted)]),
      // A link and no button, which asks for an app that answers.
      section(`<${escaped(link.url).replaceAll('|', '%7C')}|${escaped(link.label)}>`),
    ],
  })
}

const words = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
const section = (text: string) => ({ type: 'section', text: words(text) })

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
