import { Ajv, type ValidateFunction } from 'ajv'

/*
 * What the published references say of messages to incoming webhooks, as far as this product uses it: of Slack Block Kit's
 * blocks and their lengths, of Adaptive Cards 1.4 the elements and their properties, in the message that workflows of
 * Microsoft Teams take. Anything else is refused.
 */

const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })
const constant = (value: string) => ({ const: value })
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const list = (items: object, maxItems: number) => ({ type: 'array', items, minItems: 1, maxItems })

const RICH_TEXT = {
  oneOf: [
    object({ type: constant('text'), text: text(3_000), style: object({ bold: { type: 'boolean' } }) }, [
      'type',
      'text',
    ]),
    object({ type: constant('link'), url: text(3_000, { pattern: '^https?://[^ ]+$' }), text: text(200) }),
  ],
}

const SLACK = object({
  text: text(40_000),
  mrkdwn: { const: false },
  blocks: list(
    object({
      type: constant('rich_text'),
      elements: list(
        object({ type: { enum: ['rich_text_section', 'rich_text_quote'] }, elements: list(RICH_TEXT, 50) }),
        10,
      ),
    }),
    50,
  ),
})

const TEXT_RUN = object(
  {
    type: constant('TextRun'),
    text: { type: 'string' },
    color: { enum: ['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'] },
    fontType: { enum: ['Default', 'Monospace'] },
    size: { enum: ['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'] },
    weight: { enum: ['Default', 'Lighter', 'Bolder'] },
    isSubtle: { type: 'boolean' },
  },
  ['type', 'text'],
)

const TEAMS = object({
  type: constant('message'),
  attachments: list(
    object({
      contentType: constant('application/vnd.microsoft.card.adaptive'),
      content: object({
        $schema: { type: 'string' },
        type: constant('AdaptiveCard'),
        version: constant('1.4'),
        body: list(object({ type: constant('RichTextBlock'), inlines: list(TEXT_RUN, 100) }), 100),
        actions: list(
          object({
            type: constant('Action.OpenUrl'),
            title: text(200),
            url: text(2_000, { pattern: '^https?://[^ ]+$' }),
          }),
          6,
        ),
      }),
    }),
    1,
  ),
})
/** Bytes that Teams takes. */
const TEAMS_BYTES_MAX = 28 * 1_024

const ajv = new Ajv({ allErrors: true })
const VALID: Readonly<Record<'slack' | 'teams', ValidateFunction>> = {
  slack: ajv.compile(SLACK),
  teams: ajv.compile(TEAMS),
}

/** The whole message of a notice, as people see it. */
export interface ShownNotice {
  text: string
  links: string[]
}

/** Reads a notice as its receiver does. @throws Error for one that it would refuse, or that does more than show text and a link */
export function readNotice(format: 'slack' | 'teams', body: string): ShownNotice {
  const given: unknown = JSON.parse(body)
  const isValid = VALID[format]
  if (!isValid(given)) throw new Error(`${ajv.errorsText(isValid.errors)}: ${body}`)
  if (format === 'teams' && Buffer.byteLength(body) > TEAMS_BYTES_MAX) throw new Error('too large for Teams')
  return format === 'slack' ? readSlack(given as SlackMessage) : readTeams(given as TeamsMessage)
}

interface SlackMessage {
  text: string
  blocks: { elements: { elements: { text: string; url?: string }[] }[] }[]
}

function readSlack({ text: said, blocks }: SlackMessage): ShownNotice {
  // Notifications show no more than text, but what stands between < and > would be looked up.
  const left = said.match(/[<>]|&(?!amp;|lt;|gt;)/)
  if (left) throw new Error(`not escaped: ${left[0]}`)
  const elements = blocks.flatMap((block) => block.elements.flatMap((part) => part.elements))
  return {
    text: elements.map((element) => element.text).join('\n'),
    links: elements.flatMap(({ url }) => url ?? []),
  }
}

interface TeamsMessage {
  attachments: { content: { body: { inlines: { text: string }[] }[]; actions: { url: string }[] } }[]
}

function readTeams({ attachments }: TeamsMessage): ShownNotice {
  const { body, actions } = attachments[0]!.content
  const shown = body.map(({ inlines }) => inlines.map((run) => run.text).join('')).join('\n')
  if (/<\s*\/?\s*at\b/i.test(shown)) throw new Error(`Teams may read a mention: ${shown}`)
  return { text: shown.replaceAll('\u200b', ''), links: actions.map(({ url }) => url) }
}
