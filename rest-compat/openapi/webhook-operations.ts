import { EXAMPLES } from './examples.js'
import type { OpenApiDocument, OpenApiWebhook } from './openapi-types.js'
import type { JsonSchema, SchemaComponents } from './schema-components.js'
import { isAboutConversation, isDeletion, PUBLISHED_RECORDS, publishedIn } from './published-records.js'

/** An event, or a family of them that differ in a name, as `src/modules/webhooks/webhook-events.ts` lists them. */
export interface DescribedEvent {
  /** `message.create.<conversation type>.<message type>`. */
  name: string
  names: readonly string[]
  description: string
}

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  description: 'Requests that this server sends to the address of a service of the type `webhook`.',
}

/** Describes each event as a request to the receiver. */
export function webhookOperations(
  events: readonly DescribedEvent[],
  components: SchemaComponents,
): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    events.map((event) => [event.name.replace(/\.<.*$/, ''), { post: webhookOf(event, components) }]),
  )
}

/** The schemas that the requests of all events share. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WebhookReference: {
    type: 'object',
    description: 'A record that was deleted, or is not part of `/v2`: its id, and the data of the event.',
    properties: { id: { type: 'string', format: 'uuid' } },
    required: ['id'],
    additionalProperties: true,
  },
  WebhookFailedService: {
    type: 'object',
    description: 'The service that does not work, whole, with the reason.',
    properties: {
      id: { type: 'string', format: 'uuid' },
      organization: { type: 'string', format: 'uuid' },
      name: { type: ['string', 'null'] },
      type: { type: 'string' },
      status: { type: 'string' },
      error: { type: 'string', description: 'Reason of the failure.' },
    },
    required: ['id', 'organization', 'type', 'status', 'error'],
    additionalProperties: true,
  },
  WebhookDelivery: {
    type: 'object',
    description: 'The delivery of a message to the consumer.',
    properties: {
      id: { type: 'string', format: 'uuid' },
      conversation: { type: 'string', format: 'uuid' },
      message: { type: 'string', format: 'uuid' },
      status: { type: 'string' },
    },
    required: ['id', 'status'],
    additionalProperties: true,
  },
  WebhookActivity: {
    type: 'object',
    description: 'The event in Activity Streams 2.0.',
    properties: {
      '@context': { const: 'https://www.w3.org/ns/activitystreams' },
      id: { type: 'string' },
      type: { enum: ['Create', 'Update', 'Delete'] },
      summary: { type: 'string', description: 'A sentence: "User Jenny Jones created a chat message".' },
      published: { type: 'string', format: 'date-time' },
      actor: { type: 'object', additionalProperties: true },
      object: { type: 'object', additionalProperties: true },
      target: { type: 'object', additionalProperties: true },
    },
    required: ['@context', 'id', 'type', 'summary', 'published', 'actor', 'object'],
  },
  WebhookAnswer: {
    type: 'object',
    description: "Messages that are added to the event's conversation.",
    properties: {
      messages: { type: 'array', items: { $ref: '#/components/schemas/MessageInput' } },
      token: { type: 'string', description: "API token of the messages' user, instead of `params.bot`." },
    },
    required: ['messages'],
  },
}

function webhookOf({ name, names, description }: DescribedEvent, components: SchemaComponents): OpenApiWebhook {
  const example = EXAMPLES.webhooks[name]
  const schema = envelopeSchema(names, components)
  const [resource] = names[0]!.split('.') as [string]
  return {
    operationId: `on${name.replace(/\.<.*$/, '').replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [WEBHOOKS_TAG.name],
    summary: description.split('. ')[0]!.replace(/\.$/, ''),
    description: `${description} Published as \`${name}\`; with \`params.query\`, \`data\` holds what it selects, and there is no \`activity\`.`,
    parameters: SIGNATURES,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
    },
    responses: {
      '2XX': {
        description: 'The event is handled; any other status makes it come again.',
        ...(isAboutConversation(resource) && {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookAnswer' } } },
        }),
      },
      '4XX': { description: 'The event comes again, less and less often, for 24 hours.' },
    },
    security: [],
  }
}

function envelopeSchema(names: readonly string[], components: SchemaComponents): JsonSchema {
  const [resource] = names[0]!.split('.') as [string]
  const isDelivery = names.includes('message.delivery')
  // Deliveries change without their message.
  const isReference = isDelivery || names.every(isDeletion)
  const records = publishedIn(names[0]!).map((name) => {
    // Some records are not part of `/v2`.
    if (names.includes('service.error') && name === resource) return [name, FAILED_SERVICE] as const
    const record = PUBLISHED_RECORDS[name]
    const isPlain = !record || (name === resource && isReference)
    return [name, isPlain ? REFERENCE : components.published(record)] as const
  })
  const deliveries = { type: 'array', items: { $ref: '#/components/schemas/WebhookDelivery' } }
  return {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        format: 'uuid',
        description: 'Id of the event, the same in each delivery to each webhook.',
      },
      event: { type: 'string', enum: names },
      timestamp: { type: 'string', format: 'date-time' },
      organization: { type: 'string', format: 'uuid', description: 'The organization of the record.' },
      data: {
        type: 'object',
        description: 'The records that the event is about.',
        properties: {
          ...Object.fromEntries(records),
          ...(isDelivery && { deliveries }),
          ...(names.includes('conversation.update') && { previous: PREVIOUS }),
          links: {
            type: 'object',
            description: 'Address of each record in `/v2`.',
            additionalProperties: { type: 'string' },
          },
        },
        // A channel may be deleted before its notification is delivered.
        required: [
          ...(names.includes('channel.notify') ? [] : [resource]),
          ...(isDelivery ? ['deliveries'] : []),
          'links',
        ],
      },
      activity: { $ref: '#/components/schemas/WebhookActivity' },
    },
    required: ['id', 'event', 'timestamp', 'organization', 'data'],
  }
}

const PREVIOUS = {
  type: 'object',
  description:
    'The former values of the fields that changed, by their names in the record; null for one that was unset.',
  additionalProperties: true,
}
const FAILED_SERVICE = { $ref: '#/components/schemas/WebhookFailedService' }
const REFERENCE = { $ref: '#/components/schemas/WebhookReference' }

const header = (name: string, description: string) =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' } }) as const

/** Both signatures are of the exact bytes of the body. */
const SIGNATURES = [
  header('webhook-id', "The event's id (Standard Webhooks)."),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970 (Standard Webhooks).'),
  header('webhook-signature', 'A signature for each secret that is valid (Standard Webhooks).'),
  header('X-Hub-Signature', '`sha1=` and the HMAC-SHA1 of the body, in hexadecimal.'),
]
