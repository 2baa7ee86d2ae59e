import { registerEnumType } from 'type-graphql'

/** GraphQL names of the values in 2.9 and 2.10: the domain, the database and REST use the specification's own. */
export const MessageTypeEnum = {
  CHAT: 'chat',
  CARD: 'card',
  COMMAND: 'command',
  POSTBACK: 'postback',
  FORM: 'form',
  FIELD: 'field',
  RESULTS: 'results',
  MENTION: 'mention',
  TAG: 'tag',
  SEARCH: 'search',
  REPORT: 'report',
} as const
registerEnumType(MessageTypeEnum, {
  name: 'MessageType',
  description: 'Type of a message (2.9).',
  valuesConfig: {
    CHAT: { description: 'Plain text; the default.' },
    CARD: { description: 'A panel with a title, items and actions.' },
    COMMAND: { description: 'Text beginning with `/` changes the conversation (4.8); with `>` it is for a bot.' },
    POSTBACK: { description: 'A clicked button (2.10).' },
    FORM: { description: 'Adds or removes a form.' },
    FIELD: { description: 'Fills a form field.' },
    RESULTS: { description: 'Completed forms that were submitted.' },
    MENTION: { description: 'Mentions a user or an organization.' },
    TAG: { description: "A bot's tag of the conversation, for the team." },
    SEARCH: { description: "A bot's search, for the team." },
    REPORT: { description: "A bot's findings in `results`, for the team." },
  },
})

export const MessageRoleEnum = { BOT: 'bot', CONTACT: 'contact', AGENT: 'agent', SYSTEM: 'system' } as const
registerEnumType(MessageRoleEnum, {
  name: 'MessageRole',
  description: 'Role of a message, by its side of the conversation (2.9).',
  valuesConfig: {
    BOT: { description: 'Bot to agent: not sent to the consumer; the default.' },
    CONTACT: { description: 'From the consumer.' },
    AGENT: { description: 'To the consumer.' },
    SYSTEM: { description: 'Sent by the service.' },
  },
})

export const ContentTypeEnum = {
  TEXT_PLAIN: 'text/plain',
  TEXT_HTML: 'text/html',
  TEXT_URL: 'text/url',
  IMAGE_PNG: 'image/png',
  IMAGE_GIF: 'image/gif',
  IMAGE_JPG: 'image/jpg',
  IMAGE_JPEG: 'image/jpeg',
} as const
registerEnumType(ContentTypeEnum, {
  name: 'ContentType',
  description: 'Format of `text` (2.9).',
  valuesConfig: {
    TEXT_PLAIN: { description: 'Plain text; the default.' },
    TEXT_HTML: { description: 'Sanitised HTML (2.10).' },
    TEXT_URL: { description: 'The address of a page, shown in a sandboxed frame.' },
    IMAGE_PNG: { description: 'The address of an image.' },
    IMAGE_GIF: { description: 'The address of an image.' },
    IMAGE_JPG: { description: 'The address of an image.' },
    IMAGE_JPEG: { description: 'The address of an image.' },
  },
})

export const TouchpointEnum = { WEB: 'web', EMAIL: 'email', SMS: 'sms', MESSENGER: 'messenger' } as const
registerEnumType(TouchpointEnum, {
  name: 'Touchpoint',
  description: 'A touchpoint, by which messages reach the consumer (section 1).',
  valuesConfig: {
    WEB: { description: 'The web messenger.' },
    EMAIL: { description: 'E-mail.' },
    SMS: { description: 'Text messages.' },
    MESSENGER: { description: 'The social messenger.' },
  },
})

export const ActionTypeEnum = {
  LINK: 'link',
  REPLY: 'reply',
  POSTBACK: 'postback',
  WEBVIEW: 'webview',
  LOCATION_REQUEST: 'locationRequest',
} as const
registerEnumType(ActionTypeEnum, {
  name: 'ActionType',
  description: 'Type of a button (2.10).',
  valuesConfig: {
    LINK: { description: 'Opens `uri`.' },
    REPLY: { description: 'Answers with `payload`, shown as a bubble.' },
    POSTBACK: { description: 'Sends `payload` without showing it; can be used again.' },
    WEBVIEW: { description: 'Opens `uri` in a view of the client, or `fallback`.' },
    LOCATION_REQUEST: { description: 'Asks for a location.' },
  },
})
