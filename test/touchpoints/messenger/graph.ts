import { createHmac } from 'node:crypto'
import { CUT, startProvider, type Provider, type ProviderReply } from '../provider.js'

export const APP = {
  pageId: '1000000001',
  pageAccessToken: 'EAAG-token-of-the-page',
  appSecret: 'secret-of-the-app',
  verifyToken: 'meatyhamhock',
}

export interface Graph extends Provider {
  /** Bodies of the sends that were taken, with the id that each got. */
  sent: { recipient: { id: string }; messaging_type: string; tag?: string; message: any; mid: string }[] // oxlint-disable-line typescript/no-explicit-any
  /** Names of people, by page-scoped id. */
  people: Map<string, { first_name: string; last_name: string }>
  /** Sites that may use the platform's extensions in a web view. */
  extended: Set<string>
  /** Bytes by path, for attachments. */
  files: Map<string, { type: string; bytes: Buffer }>
  /** Tells of the next ones that are taken, before they are answered. */
  receipts: ((sent: Graph['sent'][number]) => Promise<void>)[]
  /** Answers in place of that to a send that was taken. */
  lies: (ProviderReply | 'cut')[]
  /** Calls a webhook as the platform does: the body signed as it goes over the wire. */
  call(url: string, body: unknown, as?: { secret?: string; signature?: string }): Promise<number>
}

let mids = 0

/** Speaks as much of the Send API as is used, and refuses what the real one refuses. */
export async function startGraph(): Promise<Graph> {
  const sent: Graph['sent'] = []
  const people: Graph['people'] = new Map()
  const extended: Graph['extended'] = new Set()
  const files: Graph['files'] = new Map()
  const lies: Graph['lies'] = []
  const refuse = (status: number, code: number, message: string): ProviderReply => ({
    status,
    body: JSON.stringify({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } }),
  })
  const proof = createHmac('sha256', APP.appSecret).update(APP.pageAccessToken).digest('hex')
  const receipts: Graph['receipts'] = []
  const provider = await startProvider(async ({ method, url, body }) => {
    const file = files.get(url.pathname)
    if (method === 'GET' && file) return { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
    if (url.searchParams.get('access_token') !== APP.pageAccessToken)
      return refuse(400, 190, 'Invalid OAuth access token.')
    if (url.searchParams.get('appsecret_proof') !== proof)
      return refuse(400, 100, 'Invalid appsecret_proof provided in the API argument')
    if (method === 'GET' && url.pathname === '/v25.0/me')
      return { status: 200, body: JSON.stringify({ id: APP.pageId, name: 'Harbour' }) }
    const person = people.get(url.pathname.replace('/v25.0/', ''))
    if (method === 'GET')
      return person ? { status: 200, body: JSON.stringify(person) } : refuse(400, 100, 'Object does not exist')
    if (method !== 'POST' || url.pathname !== '/v25.0/me/messages') return refuse(404, 2500, 'Unknown path components')
    const call = JSON.parse(body.toString())
    const problem = problemOf(call, extended)
    if (problem) return refuse(400, 100, `(#100) ${problem}`)
    const mid = `m_${++mids}`
    sent.push({ ...call, mid })
    await receipts.shift()?.(sent.at(-1)!)
    const lie = lies.shift()
    if (lie) return lie === 'cut' ? CUT : lie
    return { status: 200, body: JSON.stringify({ recipient_id: call.recipient.id, message_id: mid }) }
  })
  return {
    ...provider,
    sent,
    people,
    extended,
    files,
    lies,
    receipts,
    async call(url, body, { secret = APP.appSecret, signature } = {}) {
      // The platform escapes what is not ASCII, and signs what it sends.
      const raw = (typeof body === 'string' ? body : JSON.stringify(body)).replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
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

/** The documented limits of the Send API. */
// oxlint-disable-next-line typescript/no-explicit-any
function problemOf(call: any, extended: ReadonlySet<string>): string | null {
  const { recipient, messaging_type: type, tag, message } = call
  if (typeof recipient?.id !== 'string') return 'param recipient must be non-empty.'
  if (!['RESPONSE', 'UPDATE', 'MESSAGE_TAG'].includes(type)) return 'param messaging_type is required'
  if (type === 'MESSAGE_TAG' && !tag) return 'a tag is required'
  if ((message?.text === undefined) === (message?.attachment === undefined))
    return 'one of text and attachment is needed'
  if (message.text !== undefined && (message.text === '' || message.text.length > 2000))
    return 'Length of param message[text] must be 1 to 2000'
  const replies = message.quick_replies ?? []
  if (replies.length > 13) return 'at most 13 quick replies'
  if (replies.some((each: any) => each.title.length > 20 || each.payload.length > 1000)) return 'quick reply too long' // oxlint-disable-line typescript/no-explicit-any
  const payload = message.attachment?.payload
  const buttons =
    payload?.template_type === 'button'
      ? [payload.buttons]
      : (payload?.elements ?? []).map((each: any) => each.buttons ?? []) // oxlint-disable-line typescript/no-explicit-any
  if (
    payload?.template_type === 'button' &&
    (!payload.text || payload.text.length > 640 || payload.buttons.length === 0)
  )
    return 'button template: text of 1 to 640 and 1 to 3 buttons'
  if (payload?.template_type === 'generic') {
    if (payload.elements.length === 0 || payload.elements.length > 10) return 'generic template: 1 to 10 elements'
    for (const { title, subtitle, image_url: image, buttons: own } of payload.elements) {
      if (!title || title.length > 80 || (subtitle?.length ?? 0) > 80)
        return 'generic template: title and subtitle of at most 80'
      if (!subtitle && !image && !own) return 'generic template: an element needs more than a title'
    }
  }
  for (const group of buttons) {
    if (group.length > 3) return 'at most 3 buttons'
    for (const button of group) {
      if (button.title.length > 20) return 'button title of at most 20'
      if (button.type === 'postback' && button.payload.length > 1000) return 'payload of at most 1000'
      if (button.messenger_extensions && !extended.has(new URL(button.url).origin)) return 'url is not whitelisted'
    }
  }
  return null
}
