import { describe, expect, it } from '@jest/globals'
import { problemOf } from './contract.js'

const text = { chat_id: 7, text: 'Hello' }
const button = { text: 'Yes', callback_data: 'x' }
const keyboard = (...rows: object[][]): object => ({ ...text, reply_markup: { inline_keyboard: rows } })
const photo = { chat_id: 7, photo: 'https://example.org/a.png' }

describe('the stand-in of the platform', () => {
  it.each([
    ['sendMessage', text],
    ['sendMessage', { ...text, text: 'x'.repeat(4_096) }],
    ['sendMessage', keyboard([button], [{ text: 'Map', url: 'https://example.org' }])],
    ['sendPhoto', { ...photo, caption: 'x'.repeat(1_024) }],
    ['deleteMessages', { chat_id: 7, message_ids: [1, 2] }],
  ])('takes what the reference allows: %s %j', (method, body) => {
    expect(problemOf(method, body)).toBeNull()
  })

  it.each([
    ['sendMessage', { text: 'Hello' }],
    ['sendMessage', { chat_id: 7 }],
    ['sendMessage', { chat_id: '7', text: 'Hello' }],
    ['sendMessage', { ...text, text: '' }],
    ['sendMessage', { ...text, text: 'x'.repeat(4_097) }],
    ['sendMessage', { ...text, disable_web_page_preview: true }],
    ['sendMessage', keyboard()],
    ['sendMessage', keyboard([])],
    ['sendMessage', keyboard([{ text: 'Yes' }])],
    ['sendMessage', keyboard([{ ...button, url: 'https://example.org' }])],
    ['sendMessage', keyboard([{ text: 'Yes', callback_data: 'x'.repeat(65) }])],
    ['sendMessage', keyboard([{ text: 'Yes', callback_data: 'ü'.repeat(33) }])],
    ['sendMessage', keyboard([{ text: '', callback_data: 'x' }])],
    ['sendMessage', keyboard([{ text: 'Mail', url: 'mailto:a@example.org' }])],
    ['sendMessage', keyboard(...Array.from({ length: 101 }, () => [button]))],
    ['sendPhoto', { chat_id: 7 }],
    ['sendPhoto', { ...photo, photo: '/a.png' }],
    ['sendPhoto', { ...photo, caption: 'x'.repeat(1_025) }],
    ['editMessageText', text],
    ['editMessageText', { ...text, message_id: 0 }],
    ['editMessageText', { ...text, message_id: 1, reply_markup: { keyboard: [[{ text: 'Send' }]] } }],
    ['deleteMessages', { chat_id: 7, message_ids: [] }],
    ['deleteMessages', { chat_id: 7, message_ids: ['1'] }],
    ['deleteMessages', { chat_id: 7, message_ids: Array.from({ length: 101 }, (_, at) => at + 1) }],
    ['setWebhook', { url: 'http://example.org' }],
    ['setWebhook', { url: 'https://example.org', secret_token: 'with space' }],
    ['getUpdates', { limit: 101 }],
    ['getUpdates', { timeout: -1 }],
    ['answerCallbackQuery', {}],
    ['leaveChat', {}],
    ['sendDice', { chat_id: 7 }],
  ])('refuses what the reference does not allow: %s %j', (method, body) => {
    expect(problemOf(method, body)).not.toBeNull()
  })
})
