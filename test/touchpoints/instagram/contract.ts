import { Ajv } from 'ajv'

/*
 * What the platform's published reference says of `POST /<account>/messages`, as far as this product uses it: keys, kinds
 * and lengths. A request that does not keep to it is refused by the stand-in, as by the platform.
 */

const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const list = (maxItems: number, items: object) => ({ type: 'array', minItems: 1, maxItems, items })
const link = text(2_000, { pattern: '^https?://' })

const BUTTON = {
  oneOf: [
    object({ type: { const: 'postback' }, title: text(20), payload: text(1_000) }),
    object({ type: { const: 'web_url' }, title: text(20), url: link }),
  ],
}
const ELEMENT = {
  ...object({ title: text(80), subtitle: text(80), image_url: link, buttons: list(3, BUTTON) }, ['title']),
  // An element that only has a title is refused.
  anyOf: ['subtitle', 'image_url', 'buttons'].map((key) => ({ required: [key] })),
}
const TEMPLATE = {
  oneOf: [
    object({ template_type: { const: 'generic' }, elements: list(10, ELEMENT) }),
    object({ template_type: { const: 'button' }, text: text(640), buttons: list(3, BUTTON) }),
  ],
}
const ATTACHMENT = {
  oneOf: [
    ...['image', 'video', 'audio'].map((type) => object({ type: { const: type }, payload: object({ url: link }) })),
    object({ type: { const: 'template' }, payload: TEMPLATE }),
  ],
}
const QUICK_REPLY = object({ content_type: { const: 'text' }, title: text(20), payload: text(1_000) })
const CONTENT = {
  oneOf: [
    object({ text: text(1_000), quick_replies: list(13, QUICK_REPLY) }, ['text']),
    object({ attachment: ATTACHMENT }),
  ],
}
const KIND: Record<string, object>[] = [
  { messaging_type: { const: 'RESPONSE' } },
  { messaging_type: { const: 'MESSAGE_TAG' }, tag: { const: 'HUMAN_AGENT' } },
]
const RECIPIENT = object({ id: text(100, { pattern: '^\\d+$' }) })

const validate = new Ajv({ allErrors: true, strict: false }).compile({
  oneOf: KIND.map((kind) => object({ recipient: RECIPIENT, ...kind, message: CONTENT })),
})

interface Said {
  message: { text?: string; attachment?: { payload: { text?: string } } }
}

/** Returns why the platform refuses a message; null if it takes it. */
export function problemOf(call: object): string | null {
  const isValid: boolean = validate(call)
  if (!isValid) return `Param is not valid: ${JSON.stringify(call).slice(0, 300)}`
  const { message } = call as Said
  // Counted in bytes of UTF-8.
  if (Buffer.byteLength(message.text ?? '') > 1_000) return 'Length of param message[text] must be at most 1000 bytes'
  if (Buffer.byteLength(message.attachment?.payload.text ?? '') > 640) return 'text of a template of at most 640'
  return null
}
