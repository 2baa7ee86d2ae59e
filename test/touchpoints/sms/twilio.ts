import { createHmac } from 'node:crypto'
import { CUT, startProvider, type Provider, type ProviderReply } from '../provider.js'

export const ACCOUNT = { accountSid: 'AC0123456789abcdef0123456789abcdef', authToken: 'token-of-the-account' }

export interface Twilio extends Provider {
  /** Texts that were taken, as their parameters. */
  texts: Record<string, string>[]
  /** Bytes and type by path, behind basic auth; `redirect` leads to another path that wants none. */
  media: Map<string, { type: string; bytes: Buffer } | { redirect: string }>
  /** Tells of the next ones that are taken, before they are answered. */
  receipts: ((text: Record<string, string>) => Promise<void>)[]
  /** Answers in place of that to a text that was taken. */
  lies: (ProviderReply | 'cut')[]
  /** Calls a webhook as the provider does: a signed form. */
  call(
    url: string,
    params: Record<string, string>,
    as?: { token?: string; signedUrl?: string },
  ): Promise<{ status: number; body: string; type: string | null }>
}

let sids = 0

/** Speaks as much of the provider's REST API as is used, and refuses what the real one refuses. */
export async function startTwilio(): Promise<Twilio> {
  const texts: Twilio['texts'] = []
  const media: Twilio['media'] = new Map()
  const lies: Twilio['lies'] = []
  const authorization = `Basic ${Buffer.from(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`).toString('base64')}`
  const refuse = (status: number, code: number, message: string): ProviderReply => ({
    status,
    body: JSON.stringify({ code, message, status }),
  })
  const receipts: Twilio['receipts'] = []
  const provider = await startProvider(async ({ method, url, headers, body }) => {
    const file = media.get(url.pathname)
    if (method === 'GET' && file) {
      if ('redirect' in file)
        return headers.authorization === authorization
          ? { status: 307, headers: { location: file.redirect } }
          : refuse(401, 20003, 'Authenticate')
      // The place where media lies wants no credentials, and must not be given any.
      if (headers.authorization) return refuse(400, 0, 'Only one auth mechanism allowed')
      return { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
    }
    if (headers.authorization !== authorization) return refuse(401, 20003, 'Authenticate')
    if (method === 'GET' && url.pathname === `/2010-04-01/Accounts/${ACCOUNT.accountSid}.json`)
      return { status: 200, body: JSON.stringify({ friendly_name: 'Harbour', status: 'active' }) }
    if (method !== 'POST' || url.pathname !== `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json`) {
      return refuse(404, 20404, 'The requested resource was not found')
    }
    const params = Object.fromEntries(new URLSearchParams(body.toString()))
    if (!params.To || !/^\+[1-9]\d{6,14}$/.test(params.To))
      return refuse(400, 21211, `Invalid 'To' Phone Number: ${params.To}`)
    if (!params.From && !params.MessagingServiceSid) return refuse(400, 21603, "A 'From' phone number is required")
    if (!params.Body) return refuse(400, 21602, 'Message body is required')
    if (params.Body.length > 1600)
      return refuse(400, 21617, 'The concatenated message body exceeds the 1600 character limit')
    const sid = `SM${String(++sids).padStart(32, '0')}`
    texts.push({ ...params, sid })
    await receipts.shift()?.(texts.at(-1)!)
    const lie = lies.shift()
    if (lie) return lie === 'cut' ? CUT : lie
    return {
      status: 201,
      body: JSON.stringify({
        sid,
        status: 'queued',
        num_segments: String(Math.ceil(params.Body.length / 153)),
        error_code: null,
      }),
    }
  })
  return {
    ...provider,
    texts,
    media,
    lies,
    receipts,
    async call(url, params, { token = ACCOUNT.authToken, signedUrl = url } = {}) {
      // As the documentation of request validation says it: the address, then each name and value by name.
      const signed =
        signedUrl +
        Object.keys(params)
          .sort()
          .map((name) => name + params[name])
          .join('')
      const signature = createHmac('sha1', token).update(signed).digest('base64')
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'x-twilio-signature': signature,
        },
        body: new URLSearchParams(params).toString(),
      })
      return { status: response.status, body: await response.text(), type: response.headers.get('content-type') }
    },
  }
}
