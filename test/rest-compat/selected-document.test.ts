import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../rest-compat/openapi/openapi-types.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let admin: MadeUser
const ajv = addFormats.default(new Ajv2020({ strict: false }))
const documents: Record<string, OpenApiDocument> = {}

beforeAll(async () => {
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  for (const name of ['openapi', 'openapi-selected']) {
    documents[name] = (await app.rest(null, 'GET', `/v2/${name}.json`)).body as OpenApiDocument
    ajv.addSchema(documents[name], name)
  }
})
afterAll(() => app.close())

const pointer = (name: string, path: string, method: string, status: number): string =>
  `${name}#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses/${status}/content/application~1json/schema`

/** Tells whether each document describes the answer. */
const describing = (path: string, method: string, status: number, body: unknown): string[] =>
  Object.keys(documents).filter((name) => ajv.compile({ $ref: pointer(name, path, method, status) })(body))

it('describes every answer that the other document has, and refers to what it has', () => {
  const { openapi, 'openapi-selected': selected } = documents
  expect(JSON.stringify(selected)).not.toMatch(/"x-selected":|#\/x-selected/)
  expect(Object.keys(selected!.paths)).toEqual(Object.keys(openapi!.paths))
  for (const [path, operations] of Object.entries(selected!.paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, { content }] of Object.entries(responses as Record<string, { content?: object }>)) {
        if (!content || !('application/json' in content)) continue
        expect(() => ajv.compile({ $ref: pointer('openapi-selected', path, method, Number(status)) })).not.toThrow()
      }
    }
  }
})

it('describes what `select` leaves, which the other one does not', async () => {
  const made = await app.rest(admin, 'POST', '/v2/channels?select=name', { name: 'Short' })
  expect(describing('/v2/channels', 'post', 201, made.body)).toEqual(['openapi-selected'])
  const whole = await app.rest(admin, 'GET', `/v2/channels/${made.body.id}`)
  expect(describing('/v2/channels/{id}', 'get', 200, whole.body)).toEqual(['openapi', 'openapi-selected'])
  const listed = await app.rest(admin, 'GET', '/v2/channels?select=status')
  expect(describing('/v2/channels', 'get', 200, listed.body)).toEqual(['openapi-selected'])
  expect(describing('/v2/channels', 'get', 200, [{ id: made.body.id, status: 7 }])).toEqual([])
})

it('describes one message and a list of them, each in answer to its kind', async () => {
  const conversation = await app.rest(admin, 'POST', '/v2/conversations', { type: 'agent', name: 'Team' })
  const path = '/v2/conversations/{id}/messages'
  const send = (body: object, query = '') =>
    app.rest(admin, 'POST', `/v2/conversations/${conversation.body.id}/messages${query}`, body)
  const one = await send({ text: 'one' })
  const many = await send([{ text: 'two' }, { text: 'three' }])
  for (const { body } of [one, many])
    expect(describing(path, 'post', 201, body)).toEqual(['openapi', 'openapi-selected'])
  for (const sent of [{ text: 'one' }, [{ text: 'two' }]]) {
    const { body } = await send(sent, '?select=text')
    expect(describing(path, 'post', 201, body)).toEqual(['openapi-selected'])
  }
  for (const wrong of ['sent', 5, null, [5], { id: 5 }]) expect(describing(path, 'post', 201, wrong)).toEqual([])
})
