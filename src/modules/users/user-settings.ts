import { Field, InputType, ObjectType } from 'type-graphql'
import { parseSignature, SIGNATURE } from '../../platform/signature.js'
import { isAbsent, parseList, parseText } from '../../platform/input.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { parseTimezone } from '../../platform/timezone.js'

export const UserLocale = graphqlEnum('UserLocale', 'ISO 639-1 code of a language of the user interface (2.3).', {
  EN: ['en', 'English.'],
  NL: ['nl', 'Dutch.'],
  DE: ['de', 'German.'],
  FR: ['fr', 'French.'],
})
export type UserLocale = (typeof UserLocale)[keyof typeof UserLocale]

@ObjectType({ simpleResolvers: true, description: 'User preferences, with defaults for what was not specified (2.3).' })
export class UserSettings {
  @Field(() => String, { nullable: true, description: 'IANA time zone; set on first login if absent.' })
  timezone!: string | null

  @Field(() => Boolean, { description: 'The user set the timezone manually.' })
  timezoneSet!: boolean

  @Field(() => UserLocale)
  locale!: UserLocale

  @Field(() => Boolean, { description: 'The user set the locale manually.' })
  localeSet!: boolean

  @Field(() => Boolean, { description: 'Bleep on queue increments.' })
  audioOnChat!: boolean

  @Field(() => Boolean, { description: 'Bleep on new messages.' })
  audioOnMessage!: boolean

  @Field(() => Boolean, { description: 'Desktop notification on queue increments.' })
  notifyOnChat!: boolean

  @Field(() => Boolean, { description: 'Desktop notification on each incoming message.' })
  notifyOnMessage!: boolean

  @Field(() => Boolean, { description: 'Browser tab notification on queued conversations.' })
  tabdotNotify!: boolean

  @Field(() => Boolean, { description: 'Browser tab notification on unread messages.' })
  tabdotMessage!: boolean

  @Field(() => Boolean, { description: 'Mobile push inbox notifications.' })
  pushNotify!: boolean

  @Field(() => Boolean, { description: 'Activate conversations after accepting.' })
  focusOnAccept!: boolean

  @Field(() => [String], { description: 'Notification roles of the user.' })
  notifications!: string[]

  @Field(() => [String], { description: 'Canned responses; may contain placeholders such as `{{ givenName }}`.' })
  cannedResponses!: string[]

  @Field(() => String, {
    nullable: true,
    description: `Signature below answers by mail, unless the channel has one: ${SIGNATURE}`,
  })
  signature!: string | null
}

const optional = { nullable: true } as const

@InputType({ description: 'Replaces all settings: an omitted key gets its default (2.3).' })
export class UserSettingsInput implements Partial<Record<keyof UserSettings, unknown>> {
  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone.',
  })
  timezone?: string | null
  @Field(() => Boolean, optional) timezoneSet?: boolean | null
  @Field(() => UserLocale, optional) locale?: UserLocale | null
  @Field(() => Boolean, optional) localeSet?: boolean | null
  @Field(() => Boolean, optional) audioOnChat?: boolean | null
  @Field(() => Boolean, optional) audioOnMessage?: boolean | null
  @Field(() => Boolean, optional) notifyOnChat?: boolean | null
  @Field(() => Boolean, optional) notifyOnMessage?: boolean | null
  @Field(() => Boolean, optional) tabdotNotify?: boolean | null
  @Field(() => Boolean, optional) tabdotMessage?: boolean | null
  @Field(() => Boolean, optional) pushNotify?: boolean | null
  @Field(() => Boolean, optional) focusOnAccept?: boolean | null
  @Field(() => [String], optional) notifications?: string[] | null
  @Field(() => [String], optional) cannedResponses?: string[] | null
  @Field(() => String, { nullable: true, description: SIGNATURE }) signature?: string | null
}

/** Settings as specified, without defaults, so that a changed default applies to all users who have not chosen. */
export type StoredSettings = Partial<UserSettings>

const NOTIFICATIONS_MAX = 50
const CANNED_RESPONSES_MAX = 200
const CANNED_RESPONSE_CHARS_MAX = 5_000

/** @param level of the user's organization: agents of level 2 and below have `focusOnAccept` on (2.3) */
export function effectiveSettings(stored: StoredSettings, level: number): UserSettings {
  return {
    timezone: null,
    timezoneSet: false,
    locale: UserLocale.EN,
    localeSet: false,
    audioOnChat: true,
    audioOnMessage: false,
    notifyOnChat: false,
    notifyOnMessage: false,
    tabdotNotify: true,
    tabdotMessage: true,
    pushNotify: false,
    focusOnAccept: level >= 2,
    notifications: [],
    cannedResponses: [],
    signature: null,
    ...stored,
  }
}

/** Parses the given settings, without absent keys. @throws BadUserInput for an unknown zone or a list out of bounds */
export function parseSettings(input: UserSettingsInput | null | undefined, field = 'settings'): StoredSettings {
  const stored: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(input ?? {})) if (!isAbsent(value)) stored[key] = value
  const settings = stored as StoredSettings
  if (settings.timezone !== undefined) settings.timezone = parseTimezone(settings.timezone, `${field}.timezone`)
  if (settings.notifications) {
    settings.notifications = texts(settings.notifications, `${field}.notifications`, NOTIFICATIONS_MAX, 100)
  }
  if (settings.cannedResponses) {
    const at = `${field}.cannedResponses`
    settings.cannedResponses = texts(settings.cannedResponses, at, CANNED_RESPONSES_MAX, CANNED_RESPONSE_CHARS_MAX)
  }
  if (settings.signature !== undefined) settings.signature = parseSignature(settings.signature, `${field}.signature`)
  return settings
}

/**
 * Marks what the user has chosen itself: a zone or a locale that differs from the stored one was set manually (2.3), unless
 * the user says otherwise.
 */
export function markChosen(given: StoredSettings, stored: StoredSettings): StoredSettings {
  const isChosen = (key: 'timezone' | 'locale'): boolean => given[key] !== undefined && given[key] !== stored[key]
  return {
    ...(isChosen('timezone') && { timezoneSet: true }),
    ...(isChosen('locale') && { localeSet: true }),
    ...given,
  }
}

/** Returns the first supported language in an `Accept-Language` header, or undefined. */
export function localeOfHeader(header: string | null): UserLocale | undefined {
  if (!header || header.length > 1_000) return undefined
  const wanted = header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return { language: tag.split(/[-_]/)[0]!, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const known = Object.values(UserLocale) as string[]
  return wanted.find(({ language }) => known.includes(language))?.language as UserLocale | undefined
}

function texts(list: unknown, field: string, max: number, charsMax: number): string[] {
  return parseList(list, field, max).map((text, index) => parseText(text, `${field}[${index}]`, { max: charsMax }))
}
