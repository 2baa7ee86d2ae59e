import { createHmac } from 'node:crypto'
import { ACCOUNT as PROFESSIONAL, bodyOf as eventsOf, startAccountApi } from '../instagram/account-api.js'
import { APP, startGraph } from '../messenger/graph.js'
import type { Fault, ProviderReply } from '../provider.js'
import { ACCOUNT, startTwilio } from '../sms/twilio.js'
import { bodyOf, NUMBER, startCloudApi } from '../whatsapp/cloud-api.js'
import { BOT, refusal, startBotApi } from '../telegram/bot-api.js'
import { startParrot } from './parrot.js'
import type { CertifiedProvider, EventAccident, SendAccident } from './certified-provider.js'

const json = (status: number, body: object, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  body: JSON.stringify(body),
})
const meta = (status: number, code: number, headers = {}): ProviderReply =>
  json(status, { error: { message: 'an accident', code, type: 'OAuthException' } }, headers)

/** Answers of Meta's platforms, before anything is taken. */
const META_FAULTS: Readonly<Partial<Record<SendAccident, (busy: number) => Fault>>> = {
  busy: (code) => meta(429, code),
  busyWithTime: (code) => meta(429, code, { 'retry-after': '1' }),
  away: () => ({ status: 503, headers: { 'retry-after': '1' } }),
  refused: () => meta(400, 100),
}
const TAKEN: Readonly<Partial<Record<SendAccident, ProviderReply | 'cut'>>> = {
  takenThenBroken: { status: 500, body: '<html>' },
  takenThenCut: 'cut',
}

/** Calls a signed endpoint of Meta's: `unsigned` and `cut` bodies are refused. */
async function callHub(url: string, body: object, accident: EventAccident, secret: string): Promise<number> {
  const raw = JSON.stringify(body)
  const signature = createHmac('sha256', accident === 'unsigned' ? 'another' : secret)
    .update(raw)
    .digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body: accident === 'cut' ? raw.slice(0, -10) : raw,
  })
  await response.text()
  return response.status
}

const UNKNOWN = { of_next_year: { some: ['thing', null, 7] } }
const unknownOf = (accident: EventAccident): object => (accident === 'unknownFields' ? UNKNOWN : {})

async function whatsapp(): Promise<CertifiedProvider> {
  const cloud = await startCloudApi()
  return {
    type: 'whatsapp',
    makeService: (fixture) => fixture.makeService('whatsapp', { ...NUMBER, apiUrl: cloud.url }),
    // It limits what one person gets in a minute.
    people: 40,
    person: (number) => `316${30_000_000 + number}`,
    tell({ url }, { person, id, text, at }, accident) {
      const more = unknownOf(accident)
      const timestamp = String(Math.floor(at / 1_000))
      const message = { id, from: person, timestamp, type: 'text', text: { body: text, ...more }, ...more }
      const contacts = [{ wa_id: person, profile: { name: 'Carl' }, ...more }]
      return callHub(url, bodyOf({ contacts, messages: [message], ...more }), accident, NUMBER.appSecret)
    },
    prepare(accident, { url }) {
      const fault = META_FAULTS[accident]?.(130_429)
      if (fault) cloud.faults.push(fault)
      if (TAKEN[accident]) cloud.takeAndSay(TAKEN[accident])
      if (accident !== 'receiptFirst') return
      cloud.receipts.push(async ({ wamid, callback, to }) => {
        const status = { id: wamid, status: 'delivered', recipient_id: to, biz_opaque_callback_data: callback }
        await callHub(url, bodyOf({ statuses: [status] }), 'none', NUMBER.appSecret)
      })
    },
    hasReceipts: true,
    taken: () => cloud.sent.map(({ to, text }) => ({ person: to!, text: text.body as string })),
    secrets: [NUMBER.accessToken, NUMBER.appSecret, NUMBER.verifyToken],
    close: () => cloud.close(),
  }
}

async function messenger(): Promise<CertifiedProvider> {
  const graph = await startGraph()
  return {
    type: 'messenger',
    makeService: (fixture) => fixture.makeService('messenger', { ...APP, apiUrl: graph.url }),
    person: (number) => `psid-${number}`,
    tell({ url }, { person, id, text, at }, accident) {
      const more = unknownOf(accident)
      const event = {
        sender: { id: person, ...more },
        recipient: { id: APP.pageId },
        timestamp: at,
        message: { mid: id, text, ...more },
        ...more,
      }
      const body = { object: 'page', entry: [{ id: APP.pageId, time: at, messaging: [event], ...more }] }
      return callHub(url, body, accident, APP.appSecret)
    },
    prepare(accident, { url }) {
      const fault = META_FAULTS[accident]?.(613)
      if (fault) graph.faults.push(fault)
      if (TAKEN[accident]) graph.lies.push(TAKEN[accident])
      if (accident !== 'receiptFirst') return
      graph.receipts.push(async ({ mid, recipient }) => {
        const delivery = { mids: [mid], watermark: 0 }
        const event = { sender: recipient, recipient: { id: APP.pageId }, timestamp: Date.now(), delivery }
        const body = { object: 'page', entry: [{ id: APP.pageId, time: Date.now(), messaging: [event] }] }
        await callHub(url, body, 'none', APP.appSecret)
      })
    },
    hasReceipts: true,
    taken: () => graph.sent.map(({ recipient, message }) => ({ person: recipient.id, text: message.text as string })),
    secrets: [APP.pageAccessToken, APP.appSecret, APP.verifyToken],
    close: () => graph.close(),
  }
}

/** Tells each message that it took, as it does, before or after the answer to the send. */
async function instagram(): Promise<CertifiedProvider> {
  const api = await startAccountApi()
  const own = { id: PROFESSIONAL.accountId }
  return {
    type: 'instagram',
    makeService: (fixture) => fixture.makeService('instagram', { ...PROFESSIONAL, apiUrl: api.url }),
    person: (number) => String(9_100_000_000_000 + number),
    tell({ url }, { person, id, text, at }, accident) {
      const more = unknownOf(accident)
      const sender = { id: person, ...more }
      const event = { sender, recipient: own, timestamp: at, message: { mid: id, text, ...more }, ...more }
      return callHub(url, { ...eventsOf([event]), ...more }, accident, PROFESSIONAL.appSecret)
    },
    prepare(accident, { url }) {
      const fault = META_FAULTS[accident]?.(613)
      if (fault) api.faults.push(fault)
      if (TAKEN[accident]) api.takeAndSay(TAKEN[accident])
      if (fault) return
      api.receipts.push(async ({ mid, recipient, message: { text } }) => {
        const message = { mid, is_echo: true, text }
        const event = { sender: own, recipient, timestamp: Date.now(), message }
        const told = () => callHub(url, eventsOf([event]), 'none', PROFESSIONAL.appSecret)
        if (accident === 'receiptFirst') await told()
        else setTimeout(() => void told().catch(() => undefined), 50)
      })
    },
    taken: () => api.sent.map(({ recipient, message }) => ({ person: recipient.id, text: message.text as string })),
    secrets: [PROFESSIONAL.accessToken, PROFESSIONAL.appSecret, PROFESSIONAL.verifyToken],
    close: () => api.close(),
  }
}

async function sms(): Promise<CertifiedProvider> {
  const twilio = await startTwilio()
  const faults: Partial<Record<SendAccident, Fault>> = {
    busy: json(429, { code: 20_429, message: 'Too Many Requests' }),
    busyWithTime: json(429, { code: 20_429, message: 'Too Many Requests' }, { 'retry-after': '1' }),
    away: { status: 503, headers: { 'retry-after': '1' } },
    refused: json(400, { code: 21_610, message: 'unsubscribed' }),
  }
  return {
    type: 'sms',
    makeService: (fixture) => fixture.makeService('sms', { ...ACCOUNT, from: '+31201234567', apiUrl: twilio.url }),
    person: (number) => `+316${30_000_000 + number}`,
    async tell({ url, publicUrl }, { person, id, text }, accident) {
      const params: Record<string, string> = { MessageSid: id, From: person, To: '+31201234567', Body: text }
      if (accident === 'unknownFields') params.OfNextYear = 'some'
      if (accident === 'cut') return (await twilio.call(url, params, { signedUrl: `${publicUrl}?` })).status
      const token = accident === 'unsigned' ? 'another' : ACCOUNT.authToken
      return (await twilio.call(url, params, { signedUrl: publicUrl, token })).status
    },
    prepare(accident, { url }) {
      const fault = faults[accident]
      if (fault) twilio.faults.push(fault)
      if (TAKEN[accident]) twilio.lies.push(TAKEN[accident])
      if (accident !== 'receiptFirst') return
      twilio.receipts.push(async ({ sid, To, StatusCallback }) => {
        const params = { MessageSid: sid!, MessageStatus: 'delivered', To: To! }
        const { search } = new URL(StatusCallback!)
        await twilio.call(`${url}/status${search}`, params, { signedUrl: StatusCallback! })
      })
    },
    hasReceipts: true,
    taken: () => twilio.texts.map(({ To, Body }) => ({ person: To!, text: Body! })),
    secrets: [ACCOUNT.authToken],
    close: () => twilio.close(),
  }
}

async function telegram(): Promise<CertifiedProvider> {
  const bots = await startBotApi()
  const faults: Partial<Record<SendAccident, Fault>> = {
    busy: refusal(429, 'Too Many Requests'),
    busyWithTime: refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 }),
    away: refusal(503, 'Service Unavailable'),
    refused: refusal(400, 'Bad Request: chat not found'),
  }
  return {
    type: 'telegram',
    makeService: (fixture) => fixture.makeService('telegram', { ...BOT, apiUrl: bots.url }),
    person: (number) => String(5_000_000 + number),
    tell({ url }, { person, id, text, at }, accident) {
      const more = unknownOf(accident)
      const number = Number(id.replaceAll(/\D/g, ''))
      const from = { id: Number(person), is_bot: false, first_name: 'Carl', ...more }
      const chat = { id: Number(person), type: 'private', first_name: 'Carl', ...more }
      const date = Math.floor(at / 1_000)
      const raw = JSON.stringify({
        update_id: 7_000 + number,
        message: { message_id: number, from, chat, date, text, ...more },
        ...more,
      })
      return bots.call(
        url,
        accident === 'cut' ? raw.slice(0, -10) : raw,
        accident === 'unsigned' ? 'another' : undefined,
      )
    },
    prepare(accident) {
      const fault = faults[accident]
      if (fault) bots.faults.push(fault)
      if (TAKEN[accident]) bots.takeAndSay(TAKEN[accident])
    },
    taken: () => bots.sent.map(({ body }) => ({ person: String(body.chat_id), text: body.text as string })),
    secrets: [BOT.botToken, BOT.webhookSecret],
    close: () => bots.close(),
  }
}

/** The providers that are certified. A new one gets a row here. */
export const CERTIFIED: Readonly<Record<string, () => Promise<CertifiedProvider>>> = {
  messenger,
  sms,
  whatsapp,
  telegram,
  instagram,
  parrot: startParrot,
}
