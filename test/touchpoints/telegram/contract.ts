import { Ajv } from 'ajv'

/*
 * What the published reference of the Bot API says of the methods that this product uses: keys, kinds and lengths. A request that
 * does not keep to it is refused by the stand-in, as by the platform.
 */

const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const link = text(2_000, { pattern: '^https?://' })
const chat_id = { type: 'integer' }
const message_id = { type: 'integer', minimum: 1 }
const flag = { type: 'boolean' }

const INLINE = object({
  inline_keyboard: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 8,
      items: {
        // Exactly one of the optional fields.
        oneOf: [object({ text: text(64), callback_data: text(64) }), object({ text: text(64), url: link })],
      },
    },
  },
})
const KEYBOARD = object({
  keyboard: {
    type: 'array',
    minItems: 1,
    items: { type: 'array', minItems: 1, items: object({ text: text(64), request_location: flag }, ['text']) },
  },
  one_time_keyboard: flag,
  resize_keyboard: flag,
})
const reply_markup = { oneOf: [INLINE, KEYBOARD] }
const link_preview_options = object({ is_disabled: flag })
const caption = { type: 'string', maxLength: 1_024 }
const media = (field: string, more: Record<string, object> = {}): object =>
  object({ chat_id, [field]: link, caption, reply_markup, ...more }, ['chat_id', field])

const METHODS: Record<string, object> = {
  getMe: object({}),
  getWebhookInfo: object({}),
  deleteWebhook: object({ drop_pending_updates: flag }, []),
  setWebhook: object(
    {
      url: text(256, { pattern: '^https://' }),
      secret_token: text(256, { pattern: '^[A-Za-z0-9_-]+$' }),
      allowed_updates: { type: 'array', items: text(50) },
      max_connections: { type: 'integer', minimum: 1, maximum: 100 },
    },
    ['url'],
  ),
  getUpdates: object(
    {
      offset: { type: 'integer' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      timeout: { type: 'integer', minimum: 0, maximum: 50 },
      allowed_updates: { type: 'array', items: text(50) },
    },
    [],
  ),
  getFile: object({ file_id: text(400) }),
  leaveChat: object({ chat_id }),
  answerCallbackQuery: object({ callback_query_id: text(100), text: { type: 'string', maxLength: 200 } }, [
    'callback_query_id',
  ]),
  sendMessage: object({ chat_id, text: text(4_096), link_preview_options, reply_markup }, ['chat_id', 'text']),
  sendPhoto: media('photo'),
  sendAnimation: media('animation'),
  sendVideo: media('video'),
  sendAudio: media('audio'),
  sendDocument: media('document'),
  editMessageText: object({ chat_id, message_id, text: text(4_096), link_preview_options, reply_markup: INLINE }, [
    'chat_id',
    'message_id',
    'text',
  ]),
  editMessageMedia: object(
    {
      chat_id,
      message_id,
      media: object({ type: { const: 'photo' }, media: link, caption }, ['type', 'media']),
      reply_markup: INLINE,
    },
    ['chat_id', 'message_id', 'media'],
  ),
  deleteMessages: object({
    chat_id,
    message_ids: { type: 'array', minItems: 1, maxItems: 100, items: message_id },
  }),
}

const ajv = new Ajv({ allErrors: true, strict: false })
const VALIDATORS = new Map(Object.entries(METHODS).map(([method, schema]) => [method, ajv.compile(schema)]))
/** Sizes of uploads, in bytes. */
const UPLOAD_MAX: Readonly<Record<string, number>> = { photo: 10 * 1_048_576 }

export interface Upload {
  field: string
  fileName: string
  fileType: string
  bytes: Buffer
}

/** Returns why the platform refuses a request; null if it takes it. */
export function problemOf(method: string, body: object, upload?: Upload): string | null {
  const validate = VALIDATORS.get(method)
  if (!validate) return 'method not found'
  // An upload stands in place of an address.
  const given = upload ? { ...body, [upload.field]: 'https://upload.example' } : body
  if (!validate(given)) return `${ajv.errorsText(validate.errors)}: ${JSON.stringify(given).slice(0, 300)}`
  const markup = (body as { reply_markup?: { inline_keyboard?: { callback_data?: string }[][] } }).reply_markup
  const data = (markup?.inline_keyboard ?? []).flat().map((button) => Buffer.byteLength(button.callback_data ?? ''))
  if (data.some((bytes) => bytes > 64)) return 'BUTTON_DATA_INVALID'
  if (upload && upload.bytes.length > (UPLOAD_MAX[upload.field] ?? 50 * 1_048_576)) return 'Request Entity Too Large'
  return null
}
