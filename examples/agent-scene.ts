import { setTimeout as pause } from 'node:timers/promises'
import { Switchboard, type TypedDocument } from '@switchboard/client'
import { CreateConversationDocument, CreateGuestTokenDocument, GUEST_CONVERSATION } from '@switchboard/client/documents'
import { createAgent } from './agent/agent.js'
import { setUpAgent } from './agent/set-up.js'
import { Screen } from './screen.js'
import type { Stage } from './stage.js'
import { detail, heading, screen } from './terminal.js'

interface Proposal {
  id: string
  text: string
  hash: string
}

const PROPOSALS = `query ($id: ID!) {
  conversation(id: $id) { proposals { id text hash } }
}` as TypedDocument<{ conversation: { proposals: Proposal[] } | null }, { id: string }>

const APPROVE_PROPOSAL = `mutation ($proposal: ID!, $hash: String!) {
  approveProposal(proposal: $proposal, hash: $hash) { status }
}` as TypedDocument<{ approveProposal: { status: string } }, { proposal: string; hash: string }>

/**
 * An agent without a model answers from articles: by itself about delivery, which the consumer sees as it is written, and with a person's
 * approval about money.
 */
export async function showAgent({ admin, bot, ann, channels, organization }: Stage, serverUrl: string): Promise<void> {
  heading('An AI agent: it may answer by itself, but about money a person approves (examples/agent)')
  const { token, service } = await setUpAgent(admin, organization)
  const ended = new AbortController()
  const running = createAgent({ serverUrl, token, service, burstMs: 0 }).run(ended.signal)
  const contact = { profile: { name: 'Dora', email: `dora.${crypto.randomUUID().slice(0, 8)}@example.com` } }
  const { createConversation } = await bot.request(CreateConversationDocument, {
    input: { contact, touchpoint: 'WEB' },
  })
  const conversation = createConversation.id
  const { createGuestToken } = await bot.request(CreateGuestTokenDocument, { conversation })
  const dora = new Switchboard({ serverUrl, token: createGuestToken.token })
  const browser = new Screen('Dora', channels, 'Dora')
  browser.watch(dora, 'browser', GUEST_CONVERSATION, { id: conversation })
  await browser.saw('ConversationSnapshot')
  const ask = async (text: string): Promise<void> => {
    const shown = browser.saw('MessageAdded')
    await dora.sendMessage(conversation, { role: 'CONTACT', text })
    await shown
  }
  await ask('How long does delivery take?')
  await browser.saw('MessageStreamed')
  await browser.saw('MessageAdded')
  await ask('And when do I get a refund?')
  const proposal = await proposalIn(ann.client, conversation)
  screen(ann.name, 'decides', `on "${proposal.text.slice(0, 50)}…"`)
  const answered = browser.saw('MessageAdded')
  await ann.client.request(APPROVE_PROPOSAL, { proposal: proposal.id, hash: proposal.hash })
  await answered
  detail('It has no address, keeps nothing, and may be killed at any moment: docs/guide/connect-your-agent.md')
  ended.abort()
  await running
  await dora.close()
}

/** Waits for what the agent would answer: agents' screens are told by `ProposalChanged`. */
async function proposalIn(client: Switchboard, id: string): Promise<Proposal> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(50)) {
    const { conversation } = await client.request(PROPOSALS, { id })
    const found = conversation?.proposals.find(({ text }) => !text.startsWith('/'))
    if (found) return found
  }
  throw new Error('the agent has proposed nothing within 10 s')
}
