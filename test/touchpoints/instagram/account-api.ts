import { createHmac } from 'node:crypto'
import { CUT, startProvider, type Fault, type Provider, type ProviderReply } from '../provider.js'
import { problemOf } from './contract.js'

export const ACCOUNT = {
  accountId: '17841400000000001',
  accessToken: 'IGAA-token-of-the-account',
  appSecret: 'secret-of-the-app',
  verifyToken: 'handshake-of-the-app',
}
/** The account's id that only the app knows. */
export const APP_SCOPED = '25000000000000001'

export interface SentMessage {
  mid: string
  recipient: { id: string }
  messaging_type: string
  tag?: string
  // The tests state what they expect of it.
  message: any // oxlint-disable-line typescript/no-explicit-any
}

export interface AccountApi extends Provider {
  /** Messages that were taken, oldest first. */
  sent: SentMessage[]
  /** Tokens that are taken; the last one is given for the next renewal. */
  tokens: string[]
  /** Calls for another token, by the token that each had. */
  renewals: string[]
  /** Answers in place of the next tokens; called while the other waits. */
  renewalFaults: (Fault | (() => Promise<void>))[]
  /** Fields of the account's events that come to the app. */
  fields: string[]
  people: Map<string, { name?: string; username?: string }>
  /** Bytes by path, for attachments. */
  files: Map<string, { type: string; bytes: Buffer }>
  /** Tells of the next ones that are taken, before they are answered. */
  receipts: ((sent: SentMessage) => Promise<void>)[]
  /** Takes the next message, and answers as if it had not. */
  takeAndSay(reply: ProviderReply | 'cut'): void
  /** Calls a webhook as the platform does. */
  call(url: string, body: unknown, as?: { secret?: string; signature?: string }): Promise<number>
}

let mids = 0
const DAYS = 86_400

export const errorOf = (code: number, message: string, status = 400, subcode?: number): ProviderReply => ({
  status,
  body: JSON.stringify({
    error: { message, type: 'OAuthException', code, ...(subcode && { error_subcode: subcode }), fbtrace_id: 'x' },
  }),
})
const json = (body: object): ProviderReply => ({ status: 200, body: JSON.stringify(body) })

/** Speaks as much of the messages of a professional account as is used, and refuses what the published contract refuses. */
export async function startAccountApi(): Promise<AccountApi> {
  const sent: SentMessage[] = []
  const tokens = [ACCOUNT.accessToken]
  const renewals: string[] = []
  const renewalFaults: AccountApi['renewalFaults'] = []
  const fields = ['messages', 'messaging_postbacks', 'messaging_seen', 'message_reactions']
  const people: AccountApi['people'] = new Map()
  const files: AccountApi['files'] = new Map()
  const receipts: AccountApi['receipts'] = []
  const faults: AccountApi['faults'] = []
  const lies: (ProviderReply | 'cut')[] = []
  const renew = async ({ searchParams }: URL): Promise<ProviderReply> => {
    const token = searchParams.get('access_token') ?? ''
    renewals.push(token)
    const fault = renewalFaults.shift()
    if (typeof fault === 'function') await fault()
    else if (fault) return fault === 'cut' ? CUT : fault
    if (searchParams.get('grant_type') !== 'ig_refresh_token') return errorOf(100, 'Invalid grant_type')
    if (!tokens.includes(token)) return errorOf(190, 'Invalid OAuth access token - Cannot parse access token')
    const next = `${ACCOUNT.accessToken}-${renewals.length}`
    tokens.push(next)
    return json({ access_token: next, token_type: 'bearer', expires_in: 60 * DAYS })
  }
  const provider = await startProvider(async ({ method, url, body, headers }) => {
    const file = files.get(url.pathname)
    if (method === 'GET' && file) return { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
    if (method === 'GET' && url.pathname === '/refresh_access_token') return renew(url)
    const fault = faults.shift()
    if (fault) return fault === 'cut' ? CUT : fault
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!tokens.includes(token)) return errorOf(190, 'Invalid OAuth access token.', 401)
    const path = url.pathname.replace('/v25.0/', '')
    if (method === 'GET' && path === 'me') {
      return json({ data: [{ id: APP_SCOPED, user_id: ACCOUNT.accountId, username: 'harbour' }] })
    }
    if (method === 'GET' && path === `${ACCOUNT.accountId}/subscribed_apps`)
      return json({ data: fields.length > 0 ? [{ id: '1', subscribed_fields: fields }] : [] })
    const person = people.get(path)
    if (method === 'GET') return person ? json(person) : errorOf(100, 'Object does not exist', 400, 33)
    if (method !== 'POST' || path !== `${ACCOUNT.accountId}/messages`) return errorOf(100, 'Unsupported request')
    const call = JSON.parse(body.toString())
    const problem = problemOf(call)
    if (problem) return errorOf(100, `(#100) ${problem}`)
    const mid = `aWdf.${++mids}`
    sent.push({ ...call, mid })
    await receipts.shift()?.(sent.at(-1)!)
    const lie = lies.shift()
    if (lie) return lie === 'cut' ? CUT : lie
    return json({ recipient_id: call.recipient.id, message_id: mid })
  })
  return {
    ...provider,
    faults,
    sent,
    tokens,
    renewals,
    renewalFaults,
    fields,
    people,
    files,
    receipts,
    takeAndSay: (reply) => void lies.push(reply),
    async call(url, body, { secret = ACCOUNT.appSecret, signature } = {}) {
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

/** The platform's body around events of an account with one person. */
export function bodyOf(messaging: object[], accountId: string = ACCOUNT.accountId): object {
  return { object: 'instagram', entry: [{ id: accountId, time: Date.now(), messaging }] }
}
