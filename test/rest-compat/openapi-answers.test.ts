import { describe, expect, it } from '@jest/globals'
import { checkAnswer, type Exchange } from '../support/openapi-answers.js'

const id = '01a2027e-5a1c-726c-901f-c75cd8884fc6'
const at = '2026-11-22T09:02:44.764Z'
const group = { id, organization: id, orgPath: id, name: 'G', members: [id], createdAt: at, updatedAt: at }
const answer: Exchange = {
  method: 'GET',
  path: `/v2/orggroups/${id}`,
  requestBody: undefined,
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: group,
}
const error = {
  message: 'no',
  code: 'NOT_FOUND',
  reason: 'RECORD_NOT_FOUND',
  docs: '/docs/errors#RECORD_NOT_FOUND',
  error: { message: 'no', code: 'NOT_FOUND' },
  requestId: 'r',
}

describe('every answer of /v2 in the tests is held against the OpenAPI document, which', () => {
  it.each<[string, Partial<Exchange>]>([
    ['a record', {}],
    ['a populated reference', { body: { ...group, members: [] } }],
    ['the fields that were selected', { path: `${answer.path}?select=name`, body: { id, name: 'G' } }],
    ['an error of the status', { status: 404, body: error }],
    ['a path without an operation', { path: '/v2/nothing', status: 404, body: error }],
    ['an answer without a body', { method: 'DELETE', status: 204, contentType: null, body: '' }],
  ])('describes %s', (_what, change) => {
    expect(() => checkAnswer({ ...answer, ...change })).not.toThrow()
  })

  it.each<[string, Partial<Exchange>, RegExp]>([
    ['a member that is not described', { body: { ...group, colour: 'red' } }, /additional properties/],
    ['a member that is missing', { body: { id } }, /required property/],
    [
      'a member that was selected, of another type',
      { path: `${answer.path}?select=name`, body: { id, name: 7 } },
      /must be string/,
    ],
    [
      'an answer to select without id',
      { path: `${answer.path}?select=name`, body: { name: 'G' } },
      /required property/,
    ],
    ['a value of another type', { body: { ...group, name: 7 } }, /must be string/],
    ['a value of another format', { body: { ...group, createdAt: 'today' } }, /format/],
    ['a status that is not listed', { status: 418, body: error }, /no such status/],
    ["another status's code", { status: 403, body: error }, /allowed values/],
    ['another media type', { contentType: 'text/html' }, /media type/],
    ['a body where none is described', { method: 'DELETE', status: 204 }, /there is a body/],
    ['an operation that is not listed', { path: '/v2/nothing' }, /no such operation/],
    [
      'a body that is taken though it is not described',
      { method: 'POST', path: '/v2/orggroups', status: 201, requestBody: { name: 7 } },
      /body was taken/,
    ],
  ])('finds %s', (_what, change, problem) => {
    expect(() => checkAnswer({ ...answer, ...change })).toThrow(problem)
  })
})
