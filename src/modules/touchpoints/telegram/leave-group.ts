import { DeliveryRefused } from '../adapter.js'
import type { ProviderClient } from '../provider-call.js'
import { callBotApi } from './bot-api.js'
import type { TelegramParams } from './telegram-params.js'

/** Said in the language of whoever added the bot. */
const WHY = {
  en: 'This account answers people in private chats only, so it leaves this group. Please write to it directly.',
  de: 'Dieses Konto antwortet nur in privaten Chats und verlässt deshalb diese Gruppe. Bitte schreiben Sie ihm direkt.',
  fr: 'Ce compte ne répond que dans les conversations privées et quitte donc ce groupe. Écrivez-lui directement.',
  nl: 'Dit account antwoordt alleen in privéchats en verlaat daarom deze groep. Schrijf het rechtstreeks.',
} as const

/**
 * Leaves a group or a channel, and says why there: what its members write is no conversation with the organization. Repeating it is
 * harmless. @throws DeliveryFailed, DeliveryUnknown to be tried again
 */
export async function leaveGroup(
  client: ProviderClient,
  params: TelegramParams,
  { chat, language }: { chat: string; language: string | null },
): Promise<void> {
  const known = Object.keys(WHY).find((each) => language?.startsWith(each)) as keyof typeof WHY | undefined
  const why = { method: 'sendMessage', body: { chat_id: Number(chat), text: WHY[known ?? 'en'] } }
  try {
    await callBotApi(client, params, why)
  } catch (error) {
    // It may not write there, or has left already.
    if (!(error instanceof DeliveryRefused)) throw error
  }
  try {
    await callBotApi(client, params, { method: 'leaveChat', body: { chat_id: Number(chat) } })
  } catch (error) {
    if (!(error instanceof DeliveryRefused)) throw error
  }
}
