import { describe, expect, it } from '@jest/globals'
import { buildSchema, getNamedType, isLeafType, type GraphQLObjectType } from 'graphql'
import { readFileSync } from 'node:fs'
import { EXAMPLES } from '../../rest-compat/openapi/examples.js'
import { payloadFields } from '../../rest-compat/openapi/payload-fields.js'
import { PUBLISHED_RECORDS } from '../../rest-compat/openapi/published-records.js'
import type { FieldSpecs } from '../../rest-compat/record.js'
import { isPlainObject, type JsonObject, type JsonValue } from '../../src/platform/json.js'
import { readWebhookParams } from '../../src/modules/webhooks/webhook-params.js'
import { refusal } from '../support/refusal.js'

const read = (events: string[] | undefined, query: string): unknown =>
  readWebhookParams({ url: 'https://example.com/hook', query, ...(events && { events }) }, {}, payloadFields).query

/** Selects every field of the value. */
function selectionOf(value: JsonValue): string {
  const [one] = Array.isArray(value) ? value : [value]
  if (!isPlainObject(one)) return ''
  const fields = Object.entries(one as JsonObject).filter(([key]) => /^[a-z_]\w*$/i.test(key))
  return fields.length === 0 ? '' : `{ ${fields.map(([key, of]) => `${key} ${selectionOf(of)}`).join(' ')} }`
}

describe('the query of a webhook', () => {
  it.each<[string[] | undefined, string, string]>([
    // Nobody sent them.
    [['contact.*'], '{ contact { id } user { id } }', '"user", which none'],
    [['conversation.create', 'conversation.update', 'conversation.clockWarn'], '{ user { displayName } }', '"user"'],
    [['message.delivery', 'message.delete'], '{ user { id } }', '"user"'],
    [['channel.create', 'channel.update'], '{ channel { id } conversation { id } }', '"conversation"'],
    [['conversation.delete'], '{ conversation { id status } }', '"conversation.status"'],
    [['conversation.delete'], '{ contact { id } }', '"contact"'],
    // What is gone tells what it told.
    [['article.delete'], '{ article { id title body } }', '"article.body"'],
    [['contact.delete'], '{ contact { profile conversation } }', '"contact.conversation"'],
    [['user.delete', 'channel.*'], '{ user { email lastLogin } }', '"user.lastLogin"'],
    [['service.delete'], '{ service { params } }', '"service.params"'],
    [['cannedResponse.*'], '{ cannedResponse { text title } }', '"cannedResponse.title"'],
    [['cannedResponse.*'], '{ cannedResponse { organization { id } } }', 'cannedResponse.organization is an id'],
    [['audit.sealed'], '{ audit { seal sealed } }', '"audit.sealed"'],
    [['message.delivery'], '{ deliveries { id state } }', '"deliveries.state"'],
    [['message.delivery'], '{ message { id text } }', '"message.text"'],
    [['message.create.*'], '{ deliveries { id } }', '"deliveries"'],
    [['conversation.update'], '{ previous { id } }', '"previous.id"'],
    [['conversation.update'], '{ previous { participants { unreadCount } } }', '"previous.participants.unreadCount"'],
    [['contact.*'], '{ links { conversation } }', '"links.conversation"'],
    [['service.update'], '{ service { error } }', '"service.error"'],
    // Nothing is below a plain value.
    [['conversation.update'], '{ conversation { status { code } } }', 'conversation.status is an id or a plain value'],
    [['conversation.update'], '{ conversation { orgPath { id } } }', '"conversation.orgPath.id"'],
    [['conversation.update'], '{ conversation { participants { name { x } } } }', '"conversation.participants.name.x"'],
    [['conversation.update'], '{ previous { status { x } } }', '"previous.status.x"'],
    [['message.create.*'], '{ message { text { length } createdAt { year } } }', '"message.text.length"'],
    [['message.delivery'], '{ deliveries { status { code } } }', '"deliveries.status.code"'],
    [['article.delete'], '{ article { title { x } } }', '"article.title.x"'],
    [undefined, '{ message { id { x } } }', '"message.id.x"'],
    [undefined, '{ cannedResponse { title } }', '"cannedResponse.title"'],
    [undefined, '{ deliveries { state } }', '"deliveries.state"'],
    [undefined, '{ message { id id: text } }', 'two fields as "id"'],
    [undefined, '{ one: message { id } one: conversation { id } }', 'two fields as "one"'],
  ])('is refused for the events %j where it has no effect: %s', (events, query, reason) => {
    const { field, message } = refusal(() => read(events, query))
    expect([field, message]).toEqual(['params.query', expect.stringContaining(reason)])
  })

  it.each<[string[], string]>([
    [['message.*'], '{ message { items { title } actions { text } meta { any { thing } } } }'],
    [['conversation.update'], '{ previous { meta { any } } conversation { results { values { any } } } }'],
    [['article.delete', 'location.delete'], '{ article { meta { any } } location { address { any } } }'],
    [['message.create.*', 'conversation.offer'], '{ user { displayName } conversation { id } links { message user } }'],
    [['message.delete'], '{ message { id text user } conversation { mark } contact { profile { name } } }'],
    [['message.delivery'], '{ deliveries { id status reason recipient message } message { id conversation } }'],
    [['article.*'], '{ article { id body title } links { article organization } }'],
    [['cannedResponse.*', 'audit.sealed'], '{ cannedResponse { id shortcut text } audit { number hash seal } }'],
    [['slaPolicy.delete', 'schedule.delete'], '{ slaPolicy { targets } schedule { calendarIds } }'],
    [['conversation.delete'], '{ conversation { id organization } organization { name meta } }'],
    [['conversation.update'], '{ previous { contact closedAt participants { user accepted } } }'],
    [['channel.notify'], '{ channel { members } conversation { id } contact { id } organization { id } }'],
  ])('is taken for the events %j where they hold it: %s', (events, query) => {
    expect(read(events, query)).toBe(query)
  })

  it('knows which values of the records are objects, as GraphQL has them', () => {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
    const wrong: string[] = []
    const check = (type: string, fields: FieldSpecs): void => {
      for (const [name, spec] of Object.entries(fields)) {
        if (spec.kind === 'reference') continue
        const field = (schema.getType(type) as GraphQLObjectType).getFields()[spec.from ?? name]!
        const named = getNamedType(field.type)
        const isObject = !isLeafType(named) || named.name === 'JSONObject'
        if (spec.kind === 'value' && spec.isObject !== isObject) wrong.push(`${type}.${name}`)
        if (spec.kind === 'embedded') check(named.name, spec.fields)
      }
    }
    for (const { type, fields } of Object.values(PUBLISHED_RECORDS)) check(type, fields)
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(EXAMPLES.webhooks))('may select all that was received of %s', (name, received) => {
    const query = selectionOf((received as { data: JsonObject }).data)
    expect(read([name.replace(/<.*$/, '*')], query)).toBe(query)
  })
})
