import type { Notice } from './notice.js'

/** The beginning of a body, by which it is told from those of other formats. */
export const TEAMS_BEGINS = '{"type":'

/** Teams shows more, but a notice is to be read at a glance. */
const LINES_MAX = 10

/**
 * Builds the body of a notice for a workflow of Microsoft Teams: a message with an Adaptive Card. What people wrote stands in
 * runs of text, in which no Markdown is read, and the card declares no mentions.
 */
export function teamsBody({ says, about, text, link }: Notice): string {
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block({ text: says, weight: 'Bolder' }),
            ...(about.length > 0 ? [block({ text: about.join(' · '), isSubtle: true, size: 'Small' })] : []),
            ...linesOf(text).map((line) => block({ text: line })),
          ],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  })
}

/** A line break within a run is not shown. */
function linesOf(text: string | null): string[] {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '')
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), '…'] : lines
}

interface Run {
  text: string
  weight?: 'Bolder'
  size?: 'Small'
  isSubtle?: true
}

const block = (run: Run) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run, text: withoutMentions(run.text) }],
})

/** A client might read a mention where none is declared. */
const withoutMentions = (text: string): string => text.replace(/<(?=\s*\/?\s*at\b)/gi, '<\u200b')
