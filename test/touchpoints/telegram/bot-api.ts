import { CUT, startProvider, type Provider, type ProviderReply, type ProviderRequest } from '../provider.js'
import { problemOf, type Upload } from './contract.js'

export const BOT = {
  botToken: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  webhookSecret: 'secret_of-the-webhook',
}

export interface Call {
  method: string
  /** Token of the bot. */
  token: string
  // The tests state what they expect of it.
  body: Record<string, any> // oxlint-disable-line typescript/no-explicit-any
  upload?: Upload
}

export interface SentMessage extends Call {
  id: number
}

export interface BotApi extends Provider {
  /** All calls that kept to the contract. */
  calls: Call[]
  /** Messages that were taken, oldest first, as they were sent. */
  sent: SentMessage[]
  /** Address to which updates go; empty if they are fetched. */
  webhook: { url: string; secret?: string }
  /** Files of people, by file id. */
  files: Map<string, Buffer>
  /** Chats that have blocked the bot. */
  blockedBy: Set<number>
  /** Tokens that it knows. */
  tokens: Set<string>
  /** Calls of a method are answered with these, one after the other; a wait ends by itself. */
  faultsOf(method: string): (ProviderReply | Promise<ProviderReply>)[]
  /** Requests for updates that wait at this moment. */
  waits: Set<object>
  /** Puts an update where a bot fetches it. */
  queue(update: object, token?: string): void
  /** Calls the webhook as the platform does. */
  call(url: string, update: unknown, secret?: string): Promise<number>
  /** Lets messages that are taken wait for their answer. @returns ends it */
  hold(): () => void
  /** Takes the next message, and answers as if it had not. */
  takeAndSay(reply: ProviderReply | 'cut'): void
}

let updates = 100

/** An update of one kind. */
export const updateOf = (part: object): object => ({ update_id: ++updates, ...part })

export const refusal = (status: number, description: string, parameters?: object): ProviderReply => ({
  status,
  body: JSON.stringify({ ok: false, error_code: status, description, ...(parameters && { parameters }) }),
})

const ok = (result: unknown): ProviderReply => ({ status: 200, body: JSON.stringify({ ok: true, result }) })

/** Speaks the Bot API, and refuses what its published reference refuses. */
export async function startBotApi(): Promise<BotApi> {
  const calls: Call[] = []
  const sent: SentMessage[] = []
  const tokens: BotApi['tokens'] = new Set([BOT.botToken])
  const faultsByMethod = new Map<string, (ProviderReply | Promise<ProviderReply>)[]>()
  const faultsOf: BotApi['faultsOf'] = (method) => {
    const found = faultsByMethod.get(method) ?? []
    faultsByMethod.set(method, found)
    return found
  }
  const waits: BotApi['waits'] = new Set()
  const queues = new Map<string, { update_id: number }[]>()
  const queueOf = (token: string): { update_id: number }[] => {
    const found = queues.get(token) ?? []
    queues.set(token, found)
    return found
  }
  const webhook: BotApi['webhook'] = { url: '' }
  const files: BotApi['files'] = new Map()
  const blockedBy: BotApi['blockedBy'] = new Set()
  const faults: BotApi['faults'] = []
  const lies: (ProviderReply | 'cut')[] = []
  let ids = 500
  let held = Promise.resolve()
  const wakes: (() => void)[] = []
  const wake = (): void => {
    for (const each of wakes.splice(0)) each()
  }

  const provider = await startProvider(async (request) => {
    const [, isFile, token = '', rest = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(request.url.pathname) ?? []
    if (!tokens.has(token)) return refusal(401, 'Unauthorized')
    const file = files.get(rest.replace('files/', ''))
    if (isFile) return file ? { status: 200, body: file } : refusal(404, 'Not Found')
    const call = { ...(await readCall(rest, request)), token }
    const waiting = queueOf(token)
    const { method, body, upload } = call
    const isSend = method.startsWith('send')
    const fault = isSend ? faults.shift() : undefined
    if (fault) return fault === 'cut' ? CUT : fault
    const own = faultsOf(method).shift()
    if (own) return own
    const problem = problemOf(method, body, upload)
    if (problem) return refusal(400, `Bad Request: ${problem}`)
    calls.push(call)
    if (blockedBy.has(body.chat_id)) return refusal(403, 'Forbidden: bot was blocked by the user')
    if (isSend) {
      const id = ++ids
      sent.push({ ...call, id })
      await held
      const lie = lies.shift()
      if (lie) return lie === 'cut' ? CUT : lie
      return ok({ message_id: id, date: 1, chat: { id: body.chat_id, type: 'private' } })
    }
    switch (method) {
      case 'getMe':
        return ok({
          id: 110_201_543,
          is_bot: true,
          first_name: 'Harbour',
          username: 'harbour_bot',
          can_join_groups: true,
        })
      case 'setWebhook':
        Object.assign(webhook, { url: body.url, secret: body.secret_token })
        return ok(true)
      case 'deleteWebhook':
        Object.assign(webhook, { url: '', secret: undefined })
        return ok(true)
      case 'getWebhookInfo':
        return ok({ url: webhook.url, has_custom_certificate: false, pending_update_count: waiting.length })
      case 'getFile':
        return files.has(body.file_id)
          ? ok({ file_id: body.file_id, file_path: `files/${body.file_id}` })
          : refusal(400, 'Bad Request: invalid file_id')
      case 'getUpdates': {
        if (webhook.url) return refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        while (waiting.length > 0 && waiting[0]!.update_id < (body.offset ?? 0)) waiting.shift()
        if (waiting.length === 0 && body.timeout > 0) {
          waits.add(call)
          await new Promise<void>((resolve) => void wakes.push(resolve))
          waits.delete(call)
        }
        return ok(waiting.slice(0, body.limit ?? 100))
      }
      default:
        return ok(true)
    }
  })
  return {
    ...provider,
    calls,
    sent,
    webhook,
    files,
    blockedBy,
    faults,
    tokens,
    faultsOf,
    waits,
    queue(update, token = BOT.botToken) {
      queueOf(token).push(update as { update_id: number })
      wake()
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    takeAndSay: (reply) => void lies.push(reply),
    async call(url, update, secret = BOT.webhookSecret) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret && { 'x-telegram-bot-api-secret-token': secret }),
        },
        body: typeof update === 'string' ? update : JSON.stringify(update),
      })
      await response.text()
      return response.status
    },
    close() {
      wake()
      return provider.close()
    },
  }
}

async function readCall(method: string, { headers, body }: ProviderRequest): Promise<Omit<Call, 'token'>> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return { method, body: JSON.parse(body.toString() || '{}') }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const fields: Call['body'] = {}
  let upload: Upload | undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = /^(?:-?\d+$|\{)/.test(value) ? JSON.parse(value) : value
    else {
      const bytes = Buffer.from(await value.arrayBuffer())
      upload = { field: name, fileName: value.name, fileType: value.type, bytes }
    }
  }
  return { method, body: fields, ...(upload && { upload }) }
}
