import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { OutboundHttp } from '../../src/platform/outbound/outbound-http.js'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  ServiceRefused,
} from '../../src/modules/touchpoints/adapter.js'
import { callSendApi } from '../../src/modules/touchpoints/messenger/graph-api.js'
import { parseMessengerParams } from '../../src/modules/touchpoints/messenger/messenger-params.js'
import { fetchMedia } from '../../src/modules/touchpoints/provider-media.js'
import { parseSmsParams } from '../../src/modules/touchpoints/sms/sms-params.js'
import { sendByTwilio } from '../../src/modules/touchpoints/sms/twilio-api.js'
import { APP, startGraph, type Graph } from './messenger/graph.js'
import { ACCOUNT, startTwilio, type Twilio } from './sms/twilio.js'
import type { Fault } from './provider.js'

let twilio: Twilio
let graph: Graph
const http = new OutboundHttp({ allowPrivate: true, userAgent: 'tests', keepAlive: false })

beforeAll(async () => {
  twilio = await startTwilio()
  graph = await startGraph()
})
afterAll(async () => {
  http.close()
  await Promise.all([twilio.close(), graph.close()])
})

const client = () => ({ http, now: new Date('2026-11-21T12:00:00Z') })

function text(params: object = {}) {
  const given = parseSmsParams({ ...ACCOUNT, from: '+31201234567', apiUrl: twilio.url, ...params })
  return sendByTwilio(client(), given, { to: '+31612345678', body: 'Hello', statusCallback: 'https://chat.example/x' })
}

function send(params: object = {}) {
  const given = parseMessengerParams({ ...APP, apiUrl: graph.url, ...params })
  return callSendApi(client(), given, { recipient: 'p', kind: 'RESPONSE', message: { text: 'Hello', metadata: 'd' } })
}

const json = (status: number, body: object, headers = {}): Fault => ({ status, headers, body: JSON.stringify(body) })

describe('the response of an SMS provider', () => {
  it.each<[string, Fault, Function, string, number | null | undefined]>([
    [
      'busy',
      json(429, { code: 20429, message: 'Too Many Requests' }, { 'retry-after': '7' }),
      DeliveryFailed,
      '20429 Too Many Requests',
      7_000,
    ],
    [
      'busy until a date',
      json(503, {}, { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }),
      DeliveryFailed,
      'status 503',
      30_000,
    ],
    ['broken', { status: 500, body: '<html>' }, DeliveryUnknown, 'status 500', undefined],
    ['a gateway that waited in vain', { status: 504, body: '' }, DeliveryUnknown, 'status 504', undefined],
    [
      'a number that is none',
      json(400, { code: 21211, message: "Invalid 'To'" }),
      DeliveryRefused,
      "21211 Invalid 'To'",
      undefined,
    ],
    [
      'a wrong token',
      json(401, { code: 20003, message: 'Authenticate' }),
      ServiceRefused,
      '20003 Authenticate',
      undefined,
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://elsewhere.example' } },
      DeliveryRefused,
      'status 302',
      undefined,
    ],
    ['taken, without an id', json(201, { status: 'queued' }), DeliveryUnknown, "without a message's id", undefined],
    ['nothing', 'cut', DeliveryUnknown, 'did not answer', undefined],
  ])('%s', async (_name, fault, kind, words, retryAfterMs) => {
    twilio.faults.push(fault)
    const error = await text().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(kind)
    expect((error as Error).message).toContain(words)
    expect((error as Error).message).not.toContain(ACCOUNT.authToken)
    if (retryAfterMs !== undefined) expect((error as DeliveryFailed).retryAfterMs).toBe(retryAfterMs)
    expect(twilio.texts).toEqual([])
  })

  it('is not requested if the service is incomplete', async () => {
    await expect(text({ apiUrl: 'http://127.0.0.1:1' })).rejects.toBeInstanceOf(DeliveryFailed)
    await expect(text({ authToken: null })).rejects.toThrow('the service lacks params.authToken')
    await expect(text({ from: null })).rejects.toThrow('the service lacks params.from')
  })

  it('is its id and the segments that it counts', async () => {
    expect(await text()).toEqual({ sid: expect.stringMatching(/^SM/), segments: 1 })
    twilio.faults.push(json(201, { sid: 'SM1', num_segments: '0' }))
    expect(await text({ messagingServiceSid: 'MG1', from: null })).toEqual({ sid: 'SM1', segments: null })
    expect(Object.fromEntries(new URLSearchParams(twilio.requests.at(-1)!.body.toString()))).toEqual({
      To: '+31612345678',
      Body: 'Hello',
      StatusCallback: 'https://chat.example/x',
      MessagingServiceSid: 'MG1',
    })
  })
})

describe('the response of the Messenger Platform', () => {
  const error = (code: number, more: object = {}) => json(400, { error: { message: 'Words', code, ...more } })
  it.each<[string, Fault, Function]>([
    ['too many calls', error(613), DeliveryFailed],
    ['a failure of the moment', error(1200), DeliveryFailed],
    ['a passing error', error(190, { is_transient: true }), DeliveryFailed],
    ['broken', { status: 500 }, DeliveryUnknown],
    ['an unknown error, sent or not', error(1, { error_subcode: 1357046 }), DeliveryUnknown],
    ['a gateway that waited in vain', { status: 504 }, DeliveryUnknown],
    ['nothing', 'cut', DeliveryUnknown],
    ['taken, without an id', json(200, {}), DeliveryUnknown],
    ['a person who is not available', error(551), DeliveryRefused],
    ['outside of the window', error(10, { error_subcode: 2018278 }), DeliveryRefused],
    ['an ended token', error(190), ServiceRefused],
    ['a parameter that is not right', error(100), DeliveryRefused],
  ])('%s', async (_name, fault, kind) => {
    graph.faults.push(fault)
    const thrown = await send().catch((problem: unknown) => problem)
    expect(thrown).toBeInstanceOf(kind)
    expect((thrown as Error).message).not.toMatch(/EAAG|access_token|proof/)
    expect(graph.sent).toEqual([])
  })

  it("is the message's id, for requests with the app's secret", async () => {
    expect(await send()).toMatch(/^m_/)
    await expect(send({ appSecret: 'another' })).rejects.toThrow('Invalid appsecret_proof')
    await expect(send({ appSecret: null })).rejects.toThrow('the service lacks params.appSecret')
  })
})

describe('media', () => {
  const authorization = `Basic ${Buffer.from(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`).toString('base64')}`
  it('are fetched past redirects, without credentials elsewhere, and up to a size', async () => {
    twilio.media.set('/m', { redirect: `${twilio.url.replace('127.0.0.1', 'localhost')}/stored` })
    twilio.media.set('/stored', { type: 'image/png', bytes: Buffer.from([0, 255, 1]) })
    const ask = (url: string, bytesMax = 3) => fetchMedia(http, { url: twilio.url + url, authorization, bytesMax })
    expect(await ask('/m')).toEqual(Buffer.from([0, 255, 1]))
    expect(await ask('/m', 2)).toBeNull()
    twilio.media.set('/loop', { redirect: '/loop' })
    expect(await ask('/loop')).toBeNull()
    twilio.media.set('/file', { redirect: 'file:///etc/passwd' })
    expect(await ask('/file')).toBeNull()
    twilio.faults.push({ status: 503 })
    await expect(ask('/m')).rejects.toThrow('503')
  })
})
