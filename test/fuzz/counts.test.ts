import { describe, expect, it } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { AnswerReader, headerOf } from '../../bench/fuzz/answer-reader.js'
import { BOUNDS, outcomeOf, outcomeOfErrors } from '../../bench/fuzz/bounds.js'
import { describeTally } from '../../bench/fuzz/table.js'
import { Tally } from '../../bench/fuzz/tally.js'

const [BOUND] = BOUNDS

describe('refusals by a bound', () => {
  it('are named as the server names them', () => {
    const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'))
    const named = (words: string): boolean => sources.some((text) => text.includes(`new Unavailable('${words}`))
    expect(BOUNDS.filter((words) => !named(words))).toEqual([])
  })

  it('are counted apart from 429 and from faults, if they say when to come back', () => {
    const tally = new Tally({ msMax: 1_000, readyMsMax: 1_000 })
    const count = (...given: Parameters<typeof outcomeOf>): void =>
      tally.count('connections', outcomeOf(...given), 0, () => given.join(' '))
    count(200, false, '{}')
    count(429, true, 'too many requests')
    count(503, true, `{"message":"${BOUND}: send it again later"}`)
    count(503, true, 'the database is not available; retry')
    count(503, false, `{"message":"${BOUND}"}`)
    const { answers, faults, refusals } = tally.stages.connections
    expect([...answers]).toEqual([
      [200, 1],
      [429, 1],
      [503, 2],
    ])
    expect([...refusals]).toEqual([[BOUND, 1]])
    expect({ faults, total: tally.faultCount, shown: tally.faults.length }).toEqual({ faults: 2, total: 2, shown: 2 })
    expect(describeTally(tally)).toContain(`refused by a bound: 1 connections, ${BOUND}`)
  })

  it('are found among the errors of GraphQL, beside which nothing else failed', () => {
    const refused = {
      message: `${BOUND}: try again`,
      extensions: { code: 'UNAVAILABLE', retryAfterSeconds: 1 },
    }
    const wrong = { message: 'no', extensions: { code: 'BAD_USER_INPUT' } }
    expect(outcomeOfErrors([wrong, refused])).toEqual({ status: 503, bound: BOUND })
    expect(outcomeOfErrors([refused, { ...refused, message: 'the store is away' }])).toEqual({ status: 503 })
    expect(outcomeOfErrors([refused, { message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }])).toEqual({
      status: 500,
    })
    expect(outcomeOfErrors([wrong, { message: 'x', extensions: { code: 'RATE_LIMITED' } }])).toEqual({ status: 429 })
    expect(outcomeOfErrors([wrong])).toEqual({ status: 400 })
  })
})

describe('answers of /readyz', () => {
  it('are faults if they are late or say no, in the stage in which they are', () => {
    const tally = new Tally({ msMax: 1_000, readyMsMax: 1_000 })
    tally.countReady('mails', [
      { ms: 5, failure: null },
      { ms: 1_001, failure: null },
      { ms: 5, failure: '503 {"status":"not ready"}' },
    ])
    expect(tally.stages.mails).toMatchObject({ faults: 2, readyMs: [5, 1_001, 5] })
  })

  it('may be as late as they are where speed is not asserted', () => {
    const tally = new Tally({ msMax: 1_000, readyMsMax: Infinity })
    tally.countReady('mails', [
      { ms: 90_000, failure: null },
      { ms: 5, failure: '503 {"status":"not ready","reason":"database"}' },
      { ms: 5, failure: 'Error: connect ECONNREFUSED' },
    ])
    expect(tally.faults).toEqual(['mails: /readyz: Error: connect ECONNREFUSED'])
  })
})

describe('answers that follow each other on a connection', () => {
  const text =
    'HTTP/1.1 100 Continue\r\n\r\n' +
    'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n' +
    'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\ncontent-length: 26\r\n\r\nHTTP/1.1 200 in the middle' +
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n' +
    'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\nwhat is wr'

  it.each([1, 7, text.length])('are taken apart in pieces of %i characters', (length) => {
    const reader = new AnswerReader()
    for (let at = 0; at < text.length; at += length) reader.take(text.slice(at, at + length))
    expect(reader.whole.map(({ status, body }) => [status, body])).toEqual([
      [204, ''],
      [503, 'HTTP/1.1 200 in the middle'],
      [200, '3\r\nabc\r\n0\r\n\r\n'],
    ])
    expect(headerOf(reader.whole[1]!, 'retry-after')).toBe('1')
    expect(reader.begun).toMatchObject({ status: 400, body: 'what is wr' })
    expect([reader.isBetween, reader.isGarbled]).toEqual([false, false])
  })

  it('are garbled by what is none', () => {
    const reader = new AnswerReader()
    reader.take('HTTP/1.1 204 No Content\r\n\r\n')
    expect([reader.isBetween, reader.isGarbled]).toEqual([true, false])
    reader.take('{"status":')
    expect(reader.isGarbled).toBe(true)
  })
})
