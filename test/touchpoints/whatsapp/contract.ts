import { Ajv } from 'ajv'

/*
 * What the platform's published reference says of `POST /<number>/messages`, as far as this product uses it: keys,
 * kinds and lengths. A request that does not keep to it is refused by the stand-in, as by the platform.
 */

const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const link = text(2_000, { pattern: '^https?://' })

const ACTIONS: Record<string, object> = {
  button: object({
    buttons: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: object({ type: { const: 'reply' }, reply: object({ id: text(256), title: text(20) }) }),
    },
  }),
  list: object({
    button: text(20),
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: object(
        {
          title: text(24),
          rows: {
            type: 'array',
            minItems: 1,
            maxItems: 10,
            items: object({ id: text(200), title: text(24), description: text(72) }, ['id', 'title']),
          },
        },
        ['rows'],
      ),
    },
  }),
  cta_url: object({ name: { const: 'cta_url' }, parameters: object({ display_text: text(20), url: link }) }),
  location_request_message: object({ name: { const: 'send_location' } }),
}

const PARTS: Record<string, object> = {
  text: object({ body: text(4_096), preview_url: { type: 'boolean' } }, ['body']),
  image: object({ link, caption: text(1_024) }, ['link']),
  video: object({ link, caption: text(1_024) }, ['link']),
  audio: object({ link }),
  document: object({ link, filename: text(240), caption: text(1_024) }, ['link']),
  interactive: {
    oneOf: Object.entries(ACTIONS).map(([type, action]) =>
      object({ type: { const: type }, body: object({ text: text(1_024) }), action }),
    ),
  },
}

const PARAMETER = {
  oneOf: [
    object({ type: { const: 'text' }, text: text(1_024), parameter_name: text(60) }, ['type', 'text']),
    ...['image', 'video', 'document'].map((type) => object({ type: { const: type }, [type]: object({ link }) })),
  ],
}
PARTS.template = object(
  {
    name: text(512),
    language: object({ code: text(15) }),
    components: {
      type: 'array',
      minItems: 1,
      items: object({
        type: { enum: ['header', 'body'] },
        parameters: { type: 'array', minItems: 1, items: PARAMETER },
      }),
    },
  },
  ['name', 'language'],
)

const HEAD = {
  messaging_product: { const: 'whatsapp' },
  recipient_type: { const: 'individual' },
  biz_opaque_callback_data: text(512),
}
const TO = { to: text(15, { pattern: '^[1-9][0-9]{5,14}$' }) }
const RECIPIENT = { recipient: text(140, { pattern: '^[A-Z]{2}\\.[A-Za-z0-9.]{1,137}$' }) }

const MESSAGE = {
  oneOf: [
    ...Object.entries(PARTS).flatMap(([type, part]) =>
      [TO, RECIPIENT].map((whom) =>
        object({ ...HEAD, ...whom, type: { const: type }, [type]: part }, [
          'messaging_product',
          ...Object.keys(whom),
          'type',
          type,
        ]),
      ),
    ),
    object(
      {
        messaging_product: { const: 'whatsapp' },
        status: { const: 'read' },
        message_id: text(400),
        typing_indicator: object({ type: { const: 'text' } }),
      },
      ['messaging_product', 'status', 'message_id'],
    ),
  ],
}

const validate = new Ajv({ allErrors: true, strict: false }).compile(MESSAGE)

interface Interactive {
  interactive?: {
    action: { buttons?: { reply: { id: string; title: string } }[]; sections?: { rows: { id: string }[] }[] }
  }
}

/** Returns why the platform refuses a message; null if it takes it. */
export function problemOf(message: object): string | null {
  if (!validate(message)) return `Param is not valid: ${JSON.stringify(message).slice(0, 300)}`
  const { buttons = [], sections = [] } = (message as Interactive).interactive?.action ?? {}
  const rows = sections.flatMap(({ rows: own }) => own)
  const ids = [...buttons.map(({ reply }) => reply.id), ...rows.map(({ id }) => id)]
  if (new Set(ids).size !== ids.length) return 'Duplicated id'
  if (new Set(buttons.map(({ reply }) => reply.title)).size !== buttons.length) return 'Duplicated button title'
  return rows.length > 10 ? 'Total row count exceeds 10' : null
}
