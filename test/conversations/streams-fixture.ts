import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import type { MadeUser } from '../support/factories.js'
import type { ConversationFixture, Outcome } from './conversation-fixture.js'

export interface StreamedEvent {
  __typename: string
  messageId?: string
  name?: string
  offset?: number
  text?: string
  ending?: string | null
  message?: { id: string; text: string; ending: string | null; position: number; role: string }
  conversation?: { streams: { id: string; text: string; length: number; userId: string }[] }
}

const WATCH = `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after) {
  __typename ... on StreamEvent { cursor }
  ... on ConversationSnapshot { conversation { streams { id userId text length } } }
  ... on MessageStreamed { messageId name offset text ending }
  ... on MessageAdded { message { id text ending position role } } } }`

export interface ShownStream {
  id: string
  length: number
  ending: string | null
  text: string
}

/** The acts of a bot, its readers and those who stop it. */
export function streamsOf(fixture: Pick<ConversationFixture, 'run' | 'url' | 'tokenFor'>) {
  const { run } = fixture
  return {
    begin: (as: MadeUser | string, conversation: string, message: object = {}): Promise<Outcome<ShownStream>> =>
      run(as, BEGIN, { conversation, message: { role: 'AGENT', ...message } }),
    append: (as: MadeUser | string, id: string, offset: number, text: string): Promise<Outcome<number>> =>
      run(
        as,
        'mutation ($id: ID!, $offset: Int!, $text: String!) { appendMessage(id: $id, offset: $offset, text: $text) }',
        {
          id,
          offset,
          text,
        },
      ),
    finish: (
      as: MadeUser | string,
      id: string,
      length: number,
      mark?: string,
    ): Promise<Outcome<{ id: string; text: string }>> =>
      run(
        as,
        'mutation ($id: ID!, $length: Int!, $mark: String) { finishMessage(id: $id, length: $length, mark: $mark) { id text ending } }',
        {
          id,
          length,
          mark,
        },
      ),
    stop: (as: MadeUser | string, id: string): Promise<Outcome<{ id: string; text: string; ending: string } | null>> =>
      run(as, 'mutation ($id: ID!) { stopMessage(id: $id) { id text ending } }', { id }),
    async watch(
      token: string | MadeUser,
      id: string,
      { url = fixture.url, after }: { url?: string; after?: string } = {},
    ): Promise<LiveSubscription<StreamedEvent> & { close(): Promise<void> }> {
      const client = liveClient(url, typeof token === 'string' ? token : await fixture.tokenFor(token))
      const subscription = subscribe<StreamedEvent>(client, 'conversation', WATCH, { id, after })
      return Object.assign(subscription, { close: async () => client.dispose() })
    },
  }
}

const BEGIN = `mutation ($conversation: ID!, $message: MessageInput!) {
  beginMessage(conversation: $conversation, message: $message) { id length ending text } }`

/** The text that a reader has put together from parts, as the rules say: repeats change nothing, what is after a gap is left out. */
export function textRead(events: readonly StreamedEvent[], id: string): string {
  return events.reduce((text, { messageId, offset = 0, text: part = '' }) => {
    const isNext = messageId === id && offset <= text.length && offset + part.length > text.length
    return isNext ? text + part.slice(text.length - offset) : text
  }, '')
}
