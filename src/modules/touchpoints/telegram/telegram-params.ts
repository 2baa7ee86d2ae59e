import { randomBytes } from 'node:crypto'
import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isAbsent } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

/** Ways in which updates arrive. */
const RECEIVE = ['webhook', 'poll'] as const

/** Params of a service of type telegram. */
export interface TelegramParams {
  botToken: string | undefined
  /** The bot's id, with which its token begins. Another token of the service may be another bot's. */
  bot: string | undefined
  /** Proves the platform's calls. */
  webhookSecret: string | undefined
  /** `poll` is for servers without a public address: they fetch what has come. */
  receive: (typeof RECEIVE)[number]
  /** Without a trailing slash. */
  apiUrl: string
}

const API_URL = 'https://api.telegram.org'

/** @throws BadUserInput naming `params.<key>` */
export function parseTelegramParams(given: JsonObject): TelegramParams {
  const botToken = matching(given, 'botToken', /^\d{1,20}:[\w-]{20,100}$/, "a bot's token, such as 123456:ABC-DEF…")
  return {
    botToken,
    bot: botToken?.split(':')[0],
    webhookSecret: matching(given, 'webhookSecret', /^[\w-]{1,256}$/, '1 to 256 letters, digits, _ and -'),
    receive: receiveOf(given),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/**
 * Returns the params to store; with a token, they include the webhook's secret, kept or generated. Another bot gets another one: the
 * platform may go on with the calls of the bot before, which would be taken for its. @throws BadUserInput
 */
export function readTelegramParams(given: JsonObject, stored: JsonObject): JsonObject {
  const { bot, webhookSecret } = parseTelegramParams(given)
  if (bot === undefined) return given
  const kept = typeof stored.webhookSecret === 'string' && bot === botOf(stored.botToken) ? stored.webhookSecret : null
  const own = webhookSecret === stored.webhookSecret ? null : webhookSecret
  return { ...given, webhookSecret: own ?? kept ?? randomBytes(24).toString('base64url') }
}

function botOf(token: unknown): string | null {
  return typeof token === 'string' ? token.split(':')[0]! : null
}

/** The token becomes part of URLs' paths. The value is a secret: the refusal does not repeat it. */
function matching(given: JsonObject, key: string, form: RegExp, words: string): string | undefined {
  const text = paramText(given, key)
  if (text === undefined || form.test(text)) return text
  throw new BadUserInput(`params.${key}`, `params.${key} must be ${words}`)
}

function receiveOf({ receive }: JsonObject): TelegramParams['receive'] {
  if (isAbsent(receive)) return 'webhook'
  const known = RECEIVE.find((each) => each === receive)
  if (known) return known
  throw new BadUserInput('params.receive', `params.receive must be webhook or poll, not ${quoteValue(receive)}`)
}
