import { createHash, createHmac } from 'node:crypto'
import { CUT, startProvider, type Provider, type ProviderReply } from '../provider.js'
import { problemOf } from './contract.js'

export const NUMBER = {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  accessToken: 'EAAJB-token-of-the-number',
  appSecret: 'secret-of-the-app',
  verifyToken: 'handshake-of-the-app',
}

export interface SentMessage {
  wamid: string
  to?: string
  recipient?: string
  type: string
  callback: string
  // The tests state what they expect of it.
  [part: string]: any // oxlint-disable-line typescript/no-explicit-any
}

export interface CloudApi extends Provider {
  /** Messages that were taken, oldest first. */
  sent: SentMessage[]
  /** Ids of messages that were marked as read, and of those after which somebody was shown to type. */
  marked: string[]
  typing: string[]
  /** Files of people, by media id. */
  media: Map<string, { type: string; bytes: Buffer; sha256?: string }>
  /** Calls a webhook as the platform does. */
  call(url: string, body: unknown, as?: { secret?: string; signature?: string }): Promise<number>
  /** Templates of the account, as the platform lists them. */
  templates: object[]
  /** Tells of the next ones that are taken, before they are answered. */
  receipts: ((sent: SentMessage) => Promise<void>)[]
  /** Takes the next message, and answers as if it had not. */
  takeAndSay(reply: ProviderReply | 'cut'): void
}

let wamids = 0

export const errorOf = (code: number, message: string, status = 400): ProviderReply => ({
  status,
  body: JSON.stringify({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } }),
})

/** The platform's list of templates, two a page. */
function pageOf(templates: object[], { searchParams }: URL): ProviderReply {
  const from = Number(searchParams.get('after') ?? 0)
  const isMore = from + 2 < templates.length
  const paging = { cursors: { before: 'x', after: String(from + 2) }, ...(isMore && { next: 'https://graph.example' }) }
  return { status: 200, body: JSON.stringify({ data: templates.slice(from, from + 2), paging }) }
}

/** Speaks the Cloud API, and refuses what its published contract refuses. */
export async function startCloudApi(): Promise<CloudApi> {
  const sent: CloudApi['sent'] = []
  const marked: string[] = []
  const typing: string[] = []
  const media: CloudApi['media'] = new Map()
  const templates: object[] = []
  const faults: CloudApi['faults'] = []
  const lies: (ProviderReply | 'cut')[] = []
  let base = ''
  const receipts: CloudApi['receipts'] = []
  const provider = await startProvider(async ({ method, url, body, headers }) => {
    if (url.pathname === `/v25.0/${NUMBER.wabaId}/message_templates`) return pageOf(templates, url)
    const fault = faults.shift()
    if (fault) return fault === 'cut' ? CUT : fault
    if (headers.authorization !== `Bearer ${NUMBER.accessToken}`)
      return errorOf(190, 'Invalid OAuth access token.', 401)
    const file = media.get(url.pathname.replace('/files/', ''))
    if (file && url.pathname.startsWith('/files/')) {
      return { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
    }
    const known = media.get(url.pathname.replace('/v25.0/', ''))
    if (method === 'GET' && known) {
      const sha256 = known.sha256 ?? createHash('sha256').update(known.bytes).digest('hex')
      const at = `${base}/files/${url.pathname.replace('/v25.0/', '')}`
      const answer = {
        url: at,
        mime_type: known.type,
        sha256,
        file_size: known.bytes.length,
        messaging_product: 'whatsapp',
      }
      return { status: 200, body: JSON.stringify(answer) }
    }
    if (method === 'GET' && url.pathname === `/v25.0/${NUMBER.phoneNumberId}`) {
      const answer = { display_phone_number: '+31 20 123 4567', verified_name: 'Harbour', quality_rating: 'GREEN' }
      return { status: 200, body: JSON.stringify(answer) }
    }
    if (method !== 'POST' || url.pathname !== `/v25.0/${NUMBER.phoneNumberId}/messages`) {
      return errorOf(100, 'Unsupported request')
    }
    const message = JSON.parse(body.toString())
    const problem = problemOf(message)
    if (problem) return errorOf(100, `(#100) ${problem}`)
    if (message.status === 'read') {
      marked.push(message.message_id)
      if (message.typing_indicator) typing.push(message.message_id)
      return { status: 200, body: '{"success":true}' }
    }
    const wamid = `wamid.${++wamids}`
    sent.push({ ...message, wamid, callback: message.biz_opaque_callback_data })
    await receipts.shift()?.(sent.at(-1)!)
    const lie = lies.shift()
    if (lie === 'cut') return CUT
    if (lie) return lie
    const whom = message.to ?? message.recipient
    const answer = {
      messaging_product: 'whatsapp',
      contacts: [{ input: whom, wa_id: whom }],
      messages: [{ id: wamid }],
    }
    return { status: 200, body: JSON.stringify(answer) }
  })
  base = provider.url
  return {
    ...provider,
    faults,
    templates,
    sent,
    marked,
    typing,
    receipts,
    media,
    takeAndSay: (reply) => void lies.push(reply),
    async call(url, body, { secret = NUMBER.appSecret, signature } = {}) {
      const raw = typeof body === 'string' ? body : JSON.stringify(body)
      const signed = signature ?? `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signed && { 'x-hub-signature-256': signed }) },
        body: raw,
      })
      await response.text()
      return response.status
    },
  }
}

/** The platform's body around the value of one change. */
export function bodyOf(value: object, field = 'messages', phoneNumberId: string = NUMBER.phoneNumberId): object {
  const metadata = { display_phone_number: '31201234567', phone_number_id: phoneNumberId }
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }]
  return { object: 'whatsapp_business_account', entry: [{ id: NUMBER.wabaId, changes }] }
}
