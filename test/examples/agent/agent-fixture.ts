import { Switchboard } from '@switchboard/client'
import { createAgent, type AgentOptions } from '../../../examples/agent/agent.js'
import { setUpAgent, type AgentSetUp } from '../../../examples/agent/set-up.js'
import { must, startConversationFixture, type ConversationFixture } from '../../conversations/conversation-fixture.js'
import { until } from '../../support/until.js'
import { createTaker } from '../../webhooks/taker.js'

export interface ShownMessage {
  type: string
  role: string
  text: string
  isBackchannel: boolean
  ending: string | null
}

/** A contact center with the example's agent, which the tests run, stop and kill. */
export async function startAgentFixture() {
  const fixture: ConversationFixture = await startConversationFixture()
  const { admin, ann, organization } = fixture
  const switchboard = new Switchboard({ serverUrl: fixture.url, token: await fixture.tokenFor(admin) })
  const agent: AgentSetUp = await setUpAgent(switchboard, organization.id)
  await switchboard.close()
  const taker = createTaker(fixture)
  const options: AgentOptions = { serverUrl: fixture.url, token: agent.token, service: agent.service }
  return {
    ...fixture,
    agent,
    options,
    /** Runs the agent until the work is done. @returns what it failed at */
    async during(work: () => Promise<void>, more: Partial<AgentOptions> = {}): Promise<unknown[]> {
      const ended = new AbortController()
      const errors: unknown[] = []
      const running = createAgent({ ...options, onError: (error) => void errors.push(error), ...more }).run(
        ended.signal,
      )
      try {
        await work()
      } catch (error) {
        throw new Error(`the agent failed at ${errors.map(String).join('; ') || 'nothing'}`, { cause: error })
      } finally {
        ended.abort()
        await running
      }
      return errors
    },
    /** A consumer writes in. @returns the conversation */
    asks: async (text: string): Promise<string> => {
      const made = await must(fixture.tryCreate({ messages: [{ role: 'CONTACT', text }] }, admin))
      return made.id
    },
    says: (id: string, text: string) => must(fixture.send(admin, id, { role: 'CONTACT', text })),
    /** Everything in it, the commands too. */
    async shown(id: string): Promise<ShownMessage[]> {
      const query = `query ($id: ID!) { conversation(id: $id) {
        messages(last: 50) { nodes { type role text isBackchannel ending } } } }`
      const { messages } = await must(fixture.run<{ messages: { nodes: ShownMessage[] } }>(ann, query, { id }))
      return messages.nodes
    },
    async proposals(id: string): Promise<{ id: string; action: string; text: string; hash: string }[]> {
      const query = 'query ($id: ID!) { conversation(id: $id) { proposals { id action text hash } } }'
      return (await must(fixture.run<{ proposals: never[] }>(ann, query, { id }))).proposals
    },
    async streaming(id: string): Promise<string[]> {
      const query = 'query ($id: ID!) { conversation(id: $id) { streams { text } } }'
      const { streams } = await must(fixture.run<{ streams: { text: string }[] }>(ann, query, { id }))
      return streams.map(({ text }) => text)
    },
    /** Texts that are being written, in whatever conversation. */
    anyStreaming: async (): Promise<string[]> => {
      const rows = await fixture.server.database.query<{ parts: string[] }>(
        'select array_agg(text order by at) as parts from message_stream_part group by stream_id',
      )
      // Each part is stored as JSON, since it may end within a character.
      return rows.map(({ parts }) => parts.map((part) => JSON.parse(part) as string).join(''))
    },
    /** Resolves once all events are handled. */
    isIdle: () =>
      until(
        () => taker.state(admin, agent.service),
        ({ pending }) => pending === 0,
      ),
  }
}

export type AgentFixture = Awaited<ReturnType<typeof startAgentFixture>>

/** Texts that the consumer and the team read, in a line each. */
export const lines = (messages: readonly ShownMessage[]): string[] =>
  messages.map(({ type, role, text, isBackchannel, ending }) => {
    const who = type === 'COMMAND' ? 'command' : isBackchannel ? 'note' : role.toLowerCase()
    return `${who}: ${text}${ending === null ? '' : ` (${ending})`}`
  })
