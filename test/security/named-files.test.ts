import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  newContact,
  startConversationFixture,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { uploadImage } from '../support/upload-image.js'

// `meta.fileId` of whatever message: a signed link to the upload that it names (2.12).
let fixture: ConversationFixture
let customer: MadeOrganization
let agent: MadeUser
let conversation: string
let secret: string

beforeAll(async () => {
  fixture = await startConversationFixture()
  customer = await fixture.makeOrganization({ parent: fixture.organization })
  agent = await fixture.makeUser({ organization: customer })
  conversation = (await fixture.create({ organization: customer.id, contact: newContact() })).id
  secret = await upload(fixture.ann)
})
afterAll(() => fixture.close())

async function upload(as: MadeUser | string): Promise<string> {
  const token = typeof as === 'string' ? as : await fixture.tokenFor(as)
  const response = await uploadImage(fixture, token, { name: 'a.png' })
  return ((await response.json()) as { id: string }).id
}
const SEND = `mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id meta attachment { url } } }`
interface Sent {
  id: string
  meta: Record<string, unknown>
  attachment: { url: string } | null
}
const send = (as: MadeUser | string, message: object) => fixture.run<Sent>(as, SEND, { c: conversation, m: message })

describe("a command of a customer's agent", () => {
  it('cannot name uploads of the contact center, in any command', async () => {
    const { value } = await send(agent, { role: 'BOT', text: 'x' })
    const commands = [
      '/set',
      '/set a b',
      '/set @name x',
      '/join',
      '/accept',
      '/follow',
      '/unfollow',
      '/assign',
      '/notify',
      '/send',
      '/action like',
      '/action comment x',
      '>reboot',
      '/leave',
    ]
    for (const text of commands) {
      const meta = { fileId: secret, message: value.id, users: [agent.id], x: 1 }
      const { code, details } = await send(agent, { type: 'COMMAND', text, meta })
      expect([text, code, details.field]).toEqual([text, 'NOT_FOUND', 'meta.fileId'])
    }
    expect((await fixture.show(conversation)).meta).toEqual({})
  })

  it('may name an upload that the agent sees, or contain values other than ids; its metadata stays unchanged', async () => {
    const own = await upload(agent)
    for (const fileId of [own, 'step-3', 7]) {
      const { value, code } = await send(agent, { type: 'COMMAND', text: '/set', meta: { fileId } })
      expect([code, value?.meta]).toEqual([undefined, { fileId }])
    }
    expect((await fixture.show(conversation)).meta).toEqual({ fileId: 7 })
  })
})

describe('a message that was stored before', () => {
  it('shows an upload from above only where its user sees that', async () => {
    const link = async (sender: MadeUser | null, fileId: string): Promise<boolean> => {
      const { value } = await send(agent, { text: 'x' })
      await fixture.server.database.query(
        `update message set meta = jsonb_build_object('fileId', $2::text), user_id = $3 where id = $1`,
        [value.id, fileId, sender?.id ?? null],
      )
      const { value: shown } = await fixture.run<{ messages: { edges: { node: Sent }[] } }>(
        agent,
        'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node { id attachment { url } } } } } }',
        { id: conversation },
      )
      return shown.messages.edges[0]!.node.attachment !== null
    }
    expect(await link(agent, secret)).toBe(false)
    expect(await link(null, secret)).toBe(false)
    expect(await link(fixture.ann, secret)).toBe(true)
    expect(await link(null, await upload(agent))).toBe(true)
  })
})
