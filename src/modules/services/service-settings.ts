import { createUnionType, Field, ID, InputType, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { MailboxSettings } from './mailbox-settings.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { OidcSettings } from './oidc-settings.js'

const optional = { nullable: true } as const
const SECRET = { nullable: true, description: 'Secret: reads return `********`.' } as const
const API_URL = { nullable: true, description: "Base of the provider's addresses, in place of its own." } as const

@InputType('WebSettingsInput', { description: 'Settings of a service of type `web`.' })
@ObjectType('WebSettings', { simpleResolvers: true, description: 'Settings of a service of type `web`: the widget.' })
export class WebSettings {
  @Field(() => [String], {
    nullable: true,
    description: "Origins of the sites that may show the widget; any if absent, the server's own alone if empty.",
  })
  allowedOrigins?: string[] | null

  @Field(() => String, { nullable: true, description: 'Text that the widget shows first, at most 2,000 characters.' })
  greeting?: string | null

  @Field(() => String, { nullable: true, description: 'Heading of the widget, at most 100 characters.' })
  title?: string | null

  @Field(() => String, { nullable: true, description: 'Colour, such as `#0b5c8f`.' })
  accent?: string | null
}

@InputType('EmailSettingsInput', { description: 'Settings of a service of type `email`.' })
@ObjectType('EmailSettings', { simpleResolvers: true, description: 'Settings of a service of type `email`.' })
export class EmailSettings {
  @Field(() => String, {
    nullable: true,
    description: 'Address that consumers write to, and sender of mails; of one service only.',
  })
  address?: string | null

  @Field(() => String, { nullable: true, description: "Sender's name." })
  fromName?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Mail server to send by, such as `smtp://host:587`, in place of the installation's.",
  })
  smtpUrl?: string | null

  @Field(() => String, { ...optional, description: 'User name at the mail server.' })
  smtpUser?: string | null

  @Field(() => String, SECRET)
  smtpPassword?: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'Address that gives access tokens (OAuth 2.0) for a mail server that takes them in place of passwords.',
  })
  smtpTokenUrl?: string | null

  @Field(() => String, { nullable: true, description: 'Id of the application at the token server.' })
  smtpClientId?: string | null

  @Field(() => String, SECRET)
  smtpClientSecret?: string | null

  @Field(() => String, {
    nullable: true,
    description: "The account's grant; without it, the application's own. Secret: reads return `********`.",
  })
  smtpRefreshToken?: string | null

  @Field(() => String, { nullable: true, description: 'Scopes of the tokens, separated by spaces.' })
  smtpScope?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Secret of `POST /inbound/email/<service>`, generated if absent: reads return `********`.',
  })
  inboundSecret?: string | null
}

@InputType('SmsSettingsInput', { description: 'Settings of a service of type `sms`.' })
@ObjectType('SmsSettings', { simpleResolvers: true, description: 'Settings of a service of type `sms`.' })
export class SmsSettings {
  @Field(() => String, { nullable: true, description: "The provider's id of the account." })
  accountSid?: string | null

  @Field(() => String, SECRET)
  authToken?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Sender: a telephone number, a short code or a name; absent if the provider's service chooses.",
  })
  from?: string | null

  @Field(() => String, { nullable: true, description: "The provider's messaging service, which chooses a sender." })
  messagingServiceSid?: string | null

  @Field(() => String, API_URL)
  apiUrl?: string | null
}

@InputType('MessengerSettingsInput', { description: 'Settings of a service of type `messenger`.' })
@ObjectType('MessengerSettings', { simpleResolvers: true, description: 'Settings of a service of type `messenger`.' })
export class MessengerSettings {
  @Field(() => String, { nullable: true, description: 'The page that consumers write to.' })
  pageId?: string | null

  @Field(() => String, SECRET)
  pageAccessToken?: string | null

  @Field(() => String, { nullable: true, description: "Secret of the provider's signatures: reads return `********`." })
  appSecret?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Token of the provider's handshake, generated if absent: reads return `********`.",
  })
  verifyToken?: string | null

  @Field(() => String, API_URL)
  apiUrl?: string | null
}

@InputType('WhatsappSettingsInput', { description: 'Settings of a service of type `whatsapp`.' })
@ObjectType('WhatsappSettings', { simpleResolvers: true, description: 'Settings of a service of type `whatsapp`.' })
export class WhatsappSettings {
  @Field(() => String, { nullable: true, description: "The provider's id of the telephone number." })
  phoneNumberId?: string | null

  @Field(() => String, { nullable: true, description: "The provider's id of the business account." })
  wabaId?: string | null

  @Field(() => String, SECRET)
  accessToken?: string | null

  @Field(() => String, { nullable: true, description: "Secret of the provider's signatures: reads return `********`." })
  appSecret?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Token of the provider's handshake, generated if absent: reads return `********`.",
  })
  verifyToken?: string | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether consumers see that their messages were read; false by default.',
  })
  readMarks?: boolean | null

  @Field(() => String, API_URL)
  apiUrl?: string | null
}

const TelegramReceiveEnum = graphqlEnum('TelegramReceive', 'The way in which updates of a bot arrive.', {
  WEBHOOK: ['webhook', "The platform calls the server's address."],
  POLL: ['poll', 'The server, which needs no public address, fetches them.'],
})

@InputType('TelegramSettingsInput', { description: 'Settings of a service of type `telegram`.' })
@ObjectType('TelegramSettings', { simpleResolvers: true, description: 'Settings of a service of type `telegram`.' })
export class TelegramSettings {
  @Field(() => String, { nullable: true, description: "The bot's token: reads return `********`." })
  botToken?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Secret of the platform's calls, generated if absent: reads return `********`.",
  })
  webhookSecret?: string | null

  @Field(() => TelegramReceiveEnum, { nullable: true, description: 'By WEBHOOK if absent.' })
  receive?: string | null

  @Field(() => String, API_URL)
  apiUrl?: string | null
}

const URL = {
  nullable: true,
  description: '`http` or `https`; with `user:password@`, requests use basic authentication. Needed.',
} as const
const EVENTS = {
  nullable: true,
  description: 'Events to deliver, in which `*` stands for any text: `message.create.*.chat`. All if absent.',
} as const
const SIGNING_SECRET = {
  nullable: true,
  description:
    'Secret of the signatures, generated if absent: `whsec_` and base64 of 6 to 256 bytes, or 6 to 256 printable ASCII ' +
    'characters. Reads return `********`.',
} as const
const OWN_MESSAGES = {
  nullable: true,
  description: 'Whether messages of the bot itself are delivered too; false by default.',
} as const
const QUERY = {
  nullable: true,
  description: 'A GraphQL selection of the payload, to which `data` is limited.',
} as const

@ObjectType({ simpleResolvers: true, description: 'Settings of a service of type `webhook`.' })
export class WebhookSettings {
  @Field(() => String, URL) url?: string | null
  @Field(() => [String], EVENTS) events?: string[] | null
  @Field(() => String, SIGNING_SECRET) secret?: string | null
  @Field(() => ID, { nullable: true, description: "The bot that sends the messages in the receiver's answers." })
  botId?: string | null
  @Field(() => Boolean, OWN_MESSAGES) ownMessages?: boolean | null
  @Field(() => String, QUERY) query?: string | null
}

@InputType({ description: 'Settings of a service of type `webhook`.' })
export class WebhookSettingsInput {
  @Field(() => String, URL) url?: string | null
  @Field(() => [String], EVENTS) events?: string[] | null
  @Field(() => String, SIGNING_SECRET) secret?: string | null
  @Field(() => ID, { nullable: true, description: "The bot that sends the messages in the receiver's answers." })
  bot?: string | null
  @Field(() => Boolean, OWN_MESSAGES) ownMessages?: boolean | null
  @Field(() => String, QUERY) query?: string | null
}

const BOT = {
  nullable: true,
  description: 'The bot that may take the events. Its own messages are none of them.',
} as const

@ObjectType({ simpleResolvers: true, description: 'Settings of a service of type `events`.' })
export class EventsSettings {
  @Field(() => [String], EVENTS) events?: string[] | null
  @Field(() => ID, BOT) botId?: string | null
  @Field(() => Boolean, OWN_MESSAGES) ownMessages?: boolean | null
  @Field(() => String, QUERY) query?: string | null
}

@InputType({ description: 'Settings of a service of type `events`.' })
export class EventsSettingsInput {
  @Field(() => [String], EVENTS) events?: string[] | null
  @Field(() => ID, BOT) bot?: string | null
  @Field(() => Boolean, OWN_MESSAGES) ownMessages?: boolean | null
  @Field(() => String, QUERY) query?: string | null
}

@InputType({ description: "Settings of a service by its type: exactly one, the type's." })
export class ServiceSettingsInput {
  @Field(() => WebSettings, { ...optional, description: 'Settings of the web chat.' })
  web?: WebSettings | null
  @Field(() => EmailSettings, { ...optional, description: 'Settings of an email service.' })
  email?: EmailSettings | null
  @Field(() => MailboxSettings, { ...optional, description: 'Settings of a mailbox.' })
  mailbox?: MailboxSettings | null
  @Field(() => SmsSettings, { ...optional, description: 'Settings of an SMS service.' })
  sms?: SmsSettings | null
  @Field(() => MessengerSettings, { ...optional, description: 'Settings of a messenger service.' })
  messenger?: MessengerSettings | null
  @Field(() => WhatsappSettings, { ...optional, description: 'Settings of a WhatsApp service.' })
  whatsapp?: WhatsappSettings | null
  @Field(() => TelegramSettings, { ...optional, description: 'Settings of a Telegram service.' })
  telegram?: TelegramSettings | null
  @Field(() => WebhookSettingsInput, { ...optional, description: 'Settings of a webhook.' })
  webhook?: WebhookSettingsInput | null
  @Field(() => EventsSettingsInput, { ...optional, description: 'Settings of a service whose events are taken.' })
  events?: EventsSettingsInput | null
  @Field(() => OidcSettings, { ...optional, description: 'Settings of a provider by which users sign in.' })
  oidc?: OidcSettings | null
}

export const ServiceSettings = createUnionType({
  name: 'ServiceSettings',
  description: 'Settings of a service, by its type.',
  types: () =>
    [
      WebSettings,
      EmailSettings,
      MailboxSettings,
      SmsSettings,
      MessengerSettings,
      WhatsappSettings,
      TelegramSettings,
      WebhookSettings,
      EventsSettings,
      OidcSettings,
    ] as const,
})

/** The types of services whose settings have types of their own, with the names of these. */
export const SETTINGS = {
  web: 'WebSettings',
  email: 'EmailSettings',
  mailbox: 'MailboxSettings',
  sms: 'SmsSettings',
  messenger: 'MessengerSettings',
  whatsapp: 'WhatsappSettings',
  telegram: 'TelegramSettings',
  webhook: 'WebhookSettings',
  events: 'EventsSettings',
  oidc: 'OidcSettings',
} as const satisfies Record<keyof ServiceSettingsInput, string>

/** Returns what GraphQL shows of a service's params; null for a type of the installation's own. */
export function settingsOf(type: string, params: JsonObject): object | null {
  if (!Object.hasOwn(SETTINGS, type)) return null
  const { bot = null, ...shown } = params
  return {
    ...Object.fromEntries(Object.entries(shown).map(usable)),
    botId: bot,
    __typename: SETTINGS[type as keyof typeof SETTINGS],
  }
}

/** Params of a service that had another type may have any shape: those that no setting has are left out. */
function usable([key, value]: [string, JsonValue]): [string, JsonValue] {
  const isPlain = ['string', 'boolean', 'number'].includes(typeof value)
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return [key, isPlain || isTexts || isRoleMap(value) ? value : null]
}

function isRoleMap(value: JsonValue): boolean {
  const isRow = (row: JsonValue): boolean =>
    isPlainObject(row) &&
    ['claim', 'value', 'role'].every((key) => typeof row[key] === 'string') &&
    Array.isArray(row.channels)
  return Array.isArray(value) && value.length > 0 && value.every(isRow)
}
