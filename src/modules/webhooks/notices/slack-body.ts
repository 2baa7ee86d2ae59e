import type { Notice } from './notice.js'

/** The beginning of a body, by which it is told from those of other formats. */
export const SLACK_BEGINS = '{"text":'

/**
 * Builds the body of a notice for an incoming webhook of Slack: rich text, whose elements Slack shows as they are, so that nothing that
 * people wrote is a mention, a link or formatting; and `text` for notifications, escaped and without formatting.
 */
export function slackBody({ says, about, text, link }: Notice): string {
  return JSON.stringify({
    text: escaped(says),
    mrkdwn: false,
    blocks: [
      rich('rich_text_section', { type: 'text', text: says, style: { bold: true } }),
      ...(about.length > 0 ? [rich('rich_text_section', { type: 'text', text: about.join(' · ') })] : []),
      ...(text === null ? [] : [rich('rich_text_quote', { type: 'text', text })]),
      // A link and no button, which asks for an app that answers.
      rich('rich_text_section', { type: 'link', url: link.url, text: link.label }),
    ],
  })
}

const rich = (type: 'rich_text_section' | 'rich_text_quote', element: object) => ({
  type: 'rich_text',
  elements: [{ type, elements: [element] }],
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
