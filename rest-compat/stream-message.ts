import { setTimeout as pause } from 'node:timers/promises'
import type { OperationRunner } from '../src/api/graphql/operations.js'
import { BadUserInput, DomainError } from '../src/platform/errors.js'
import { readMarkToMatch } from './entity-tag.js'
import { asFailedPrecondition, thrownBy, type RestRequest } from './execute-route.js'

/** Query parameter with which a message is written in front of its readers: the body is its text, as it comes. */
export const STREAM = 'stream'
const ROLES: Readonly<Record<string, string>> = { agent: 'AGENT', bot: 'BOT' }
/** Length of a part in UTF-16 units: less than the operation takes, in whatever script. */
const PART_MAX = 4_000
/** Time between two parts: readers see it flow, and each part costs every one of them a frame. */
const PACE_MS = 120
/** Text that has come and is not stored: no more is read before. */
const WAITING_MAX = 65_536
/** Time after which an author who is silent is told that the stream has ended; one that writes is told by its next part. */
const LOOK_EVERY_MS = 3_000

export const OPERATIONS = {
  begin: `mutation BeginMessage($conversation: ID!, $message: MessageInput!) {
    result: beginMessage(conversation: $conversation, message: $message) { id ending length }
  }`,
  append: `mutation AppendMessage($id: ID!, $offset: Int!, $text: String!) {
    result: appendMessage(id: $id, offset: $offset, text: $text)
  }`,
  finish: `mutation FinishMessage($id: ID!, $length: Int!) { result: finishMessage(id: $id, length: $length) { id } }`,
  stop: `mutation StopMessage($id: ID!) { result: stopMessage(id: $id) { id } }`,
} as const

type Name = keyof typeof OPERATIONS

interface Begun {
  id: string
  ending: string | null
  length: number
}
type OperationContext = Parameters<OperationRunner['run']>[0]

/** Passes the chunks of a request's body on as they come: one part after the other, at least 120 ms apart, each with what has come meanwhile. */
export class MessageStreamer {
  readonly #prepared = new Map<Name, ReturnType<OperationRunner['prepare']>>()

  constructor(private readonly operations: OperationRunner) {}

  /**
   * @param chunks UTF-8; if they break off, the stream is lost after its time
   * @returns the id of the message, once all chunks have come
   */
  async stream(context: OperationContext, request: RestRequest, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    const { idempotencyKey, ifMatch, query, params } = request
    if (idempotencyKey !== undefined)
      throw new BadUserInput('Idempotency-Key', 'Idempotency-Key has no effect on a message that is streamed')
    const message = {
      role: roleOf(query),
      ...(ifMatch !== undefined && { mark: readMarkToMatch(ifMatch) }),
    }
    const begun = { conversation: params.id, message }
    const { id } = await this.#run<Begun>(context, 'begin', begun)
    try {
      const length = await this.#pass(context, { ...begun, message: { ...message, id } }, chunks)
      await this.#run(context, 'finish', { id, length })
    } catch (error) {
      // What was shown stays. Of a connection that broke off, nobody knows whether the author goes on.
      if (error instanceof DomainError) await this.#run(context, 'stop', { id }).catch(() => undefined)
      throw error
    }
    return id
  }

  /** @returns the length of the text, in UTF-16 units */
  async #pass(
    context: OperationContext,
    begun: { conversation: unknown; message: { id: string } },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const { id } = begun.message
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let waiting = ''
    let length = 0
    let sending: Promise<void> | null = null
    let fail: (error: unknown) => void
    const failed = new Promise<never>((_, reject) => (fail = reject))
    failed.catch(() => undefined)
    let isSilent = false
    const look = async (): Promise<void> => {
      const wasSilent = isSilent && !sending
      isSilent = true
      if (!wasSilent) return
      // Beginning it again tells how it is; adding to what has ended tells why not.
      const { ending, length: reached } = await this.#run<Begun>(context, 'begin', begun)
      if (ending !== null) await this.#run(context, 'append', { id, offset: reached, text: '' })
    }
    const looking = setInterval(() => void look().catch(fail!), LOOK_EVERY_MS).unref()
    const hurry = new AbortController()
    let sentAt = -Infinity
    const send = async (): Promise<void> => {
      try {
        while (waiting !== '') {
          const waitMs = sentAt + PACE_MS - performance.now()
          // A full part, and the rest once all has come, is due at once.
          if (waitMs > 0 && waiting.length < PART_MAX)
            await pause(waitMs, null, { signal: hurry.signal }).catch(() => undefined)
          sentAt = performance.now()
          const text = waiting.slice(0, PART_MAX)
          length = await this.#run<number>(context, 'append', { id, offset: length, text })
          waiting = waiting.slice(text.length)
        }
      } finally {
        // In the same moment as nothing waits: what comes from now on starts it again.
        sending = null
      }
    }
    const iterator = chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        // An ending is answered at once, whether or not more comes.
        const { done, value } = await Promise.race([iterator.next(), failed])
        isSilent = false
        waiting += decode(decoder, done ? undefined : value)
        if (waiting !== '' && !sending) {
          sending = send()
          sending.catch(fail!)
        }
        if (done) hurry.abort()
        if (done || waiting.length > WAITING_MAX) await sending
        if (done) return length
      }
    } finally {
      clearInterval(looking)
      hurry.abort()
    }
  }

  async #run<Result>(context: OperationContext, name: Name, variables: Record<string, unknown>): Promise<Result> {
    let prepared = this.#prepared.get(name)
    if (!prepared) this.#prepared.set(name, (prepared = this.operations.prepare(OPERATIONS[name])))
    const { data, errors } = await this.operations.run(context, prepared, variables)
    if (!errors?.length) return (data as { result: Result }).result
    const error = thrownBy(errors)
    const { mark } = (variables.message ?? {}) as { mark?: string }
    throw mark !== undefined || name === 'finish' ? asFailedPrecondition(error) : error
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch {
    throw new BadUserInput('body', 'the body must be text in UTF-8')
  }
}

/** Consumers see what is said to them alone. */
function roleOf({ [STREAM]: stream, role = 'agent', ...others }: RestRequest['query']): string {
  if (stream !== 'true') throw new BadUserInput(STREAM, `${STREAM} must be true`)
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw new BadUserInput(other, `${other} is not a query parameter of a message that is streamed`)
  const known = typeof role === 'string' ? ROLES[role] : undefined
  if (known === undefined) throw new BadUserInput('role', 'role must be agent or bot')
  return known
}
