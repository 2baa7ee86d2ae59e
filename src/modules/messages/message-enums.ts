import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

/** GraphQL names of the values in 2.9 and 2.10; the domain, the database and REST use the specification's names. */
export const MessageTypeEnum = graphqlEnum('MessageType', 'Type of a message (2.9).', {
  CHAT: ['chat', 'Plain text; the default.'],
  CARD: ['card', 'A panel with a title, items and actions.'],
  COMMAND: ['command', 'Text beginning with `/` changes the conversation (4.8); with `>` it is for a bot.'],
  POSTBACK: ['postback', 'A clicked button (2.10).'],
  FORM: ['form', 'Adds or removes a form.'],
  FIELD: ['field', 'Fills a form field.'],
  RESULTS: ['results', 'Completed forms that were submitted.'],
  MENTION: ['mention', 'Mentions a user or an organization.'],
  TAG: ['tag', "A bot's tag of the conversation, for the team."],
  SEARCH: ['search', "A bot's search, for the team."],
  REPORT: ['report', "A bot's findings in `results`, for the team."],
})
export type MessageType = (typeof MessageTypeEnum)[keyof typeof MessageTypeEnum]
/** Types of 2.9, and three of the legacy interface (open points). */
export const MESSAGE_TYPES = Object.values(MessageTypeEnum)

export const MessageRoleEnum = graphqlEnum('MessageRole', 'Role of a message, by its side of the conversation (2.9).', {
  BOT: ['bot', 'Bot to agent: not sent to the consumer.'],
  CONTACT: ['contact', 'From the consumer.'],
  AGENT: ['agent', 'To the consumer.'],
  SYSTEM: ['system', 'Sent by the service.'],
})
export type MessageRole = (typeof MessageRoleEnum)[keyof typeof MessageRoleEnum]
export const MESSAGE_ROLES = Object.values(MessageRoleEnum)

export const MessageAudienceEnum = graphqlEnum(
  'MessageAudience',
  'The reach of a message (4.7, message delivery rules).',
  {
    CONSUMER: ['consumer', 'Delivered to the consumer, and shown to the team.'],
    TEAM: ['team', 'Shown to the team only: a note, a command, a message of a bot, or one that the consumer sent.'],
  },
)
export type MessageAudience = (typeof MessageAudienceEnum)[keyof typeof MessageAudienceEnum]

export const ContentTypeEnum = graphqlEnum('ContentType', 'Format of `text` (2.9).', {
  TEXT_PLAIN: ['text/plain', 'Plain text; the default.'],
  TEXT_HTML: ['text/html', 'Sanitised HTML (2.10).'],
  TEXT_URL: ['text/url', 'The address of a page, shown in a sandboxed frame.'],
  IMAGE_PNG: ['image/png', 'The address of an image.'],
  IMAGE_GIF: ['image/gif', 'The address of an image.'],
  IMAGE_JPG: ['image/jpg', 'The address of an image.'],
  IMAGE_JPEG: ['image/jpeg', 'The address of an image.'],
})
export type ContentType = (typeof ContentTypeEnum)[keyof typeof ContentTypeEnum]
export const CONTENT_TYPES = Object.values(ContentTypeEnum)

export const ActionTypeEnum = graphqlEnum('ActionType', 'Type of a button (2.10).', {
  LINK: ['link', 'Opens `uri`.'],
  REPLY: ['reply', 'Answers with `payload`, shown as a bubble.'],
  POSTBACK: ['postback', 'Sends `payload` without showing it; can be used again.'],
  WEBVIEW: ['webview', 'Opens `uri` in a view of the client, or `fallback`.'],
  LOCATION_REQUEST: ['locationRequest', 'Asks for a location.'],
})
