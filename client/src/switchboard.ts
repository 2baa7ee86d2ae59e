import { SendMessageDocument, type MessageInput, type SendMessageMutation } from './generated/operations.js'
import { newId } from './ids.js'
import { LiveClient, type LiveClientOptions } from './live/live-view.js'
import { pause } from './pause.js'
import { createRequest, passes, Refused, type Request, type RequestOptions, type TokenSource } from './request.js'

export interface SwitchboardOptions
  extends Omit<LiveClientOptions, 'token'>, Omit<RequestOptions, 'token' | 'serverUrl'> {
  /** Token of a user, a guest or a bot. A function is asked again when the server refuses what it gave. */
  token: TokenSource
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000

/** One caller's connection to a server: requests over HTTP, and live views on one socket that opens with the first of them. */
export class Switchboard {
  readonly request: Request
  readonly live: LiveClient

  constructor(options: SwitchboardOptions) {
    const serverUrl = options.serverUrl.replace(/\/+$/, '')
    this.request = createRequest({ ...options, serverUrl })
    this.live = new LiveClient({ ...options, serverUrl })
  }

  /**
   * Sends a message until the server has answered, once however often it is tried: its `id` is chosen here when none is
   * given. Show it at once under that id; the live view brings it under the same one.
   * @throws Refused for what does not pass by itself, the signal's reason when it aborts
   */
  async sendMessage(
    conversation: string,
    message: MessageInput,
    signal?: AbortSignal,
  ): Promise<SendMessageMutation['sendMessage']> {
    const variables = { conversation, message: { ...message, id: message.id ?? newId() } }
    for (let failures = 0; ; failures++) {
      try {
        return (await this.request(SendMessageDocument, variables, signal)).sendMessage
      } catch (error) {
        if (!passes(error)) throw error
        const atLeastMs = error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0
        const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
        await pause(atLeastMs + bound * (0.5 + Math.random() / 2), signal)
        signal?.throwIfAborted()
      }
    }
  }

  async close(): Promise<void> {
    await this.live.close()
  }
}
