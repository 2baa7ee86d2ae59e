import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { MadeUser } from '../../support/factories.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { rawMail, type MailParts } from './mails.js'

const SUPPORT = 'support@boats.example'
const SECRET = 'an inbound secret of the test'

let app: TestServer
let admin: MadeUser
let service: string

beforeAll(async () => {
  app = await startTestServer({ MAIL_SENDERS: 'any' })
  const organization = await app.makeOrganization({ name: 'Harbour Boats' })
  admin = await app.makeUser({ organization, role: 'admin' })
  const made = await app.gql(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', params: { address: SUPPORT, inboundSecret: SECRET, authHosts: ['mx.boats.example'] } },
  })
  service = made.data.createService.id
})
afterAll(() => app.close())

const MAIL = `mail { from { address name } to { address name } cc { address name } replyTo { address name } auth original }`

async function mailOf(parts: MailParts): Promise<Record<string, unknown>> {
  const response = await fetch(`${app.url}/inbound/email/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: rawMail(parts),
  })
  const { message } = (await response.json()) as { message: string }
  const { data, errors } = await app.gql(admin, `query ($id: ID!) { message(id: $id) { ${MAIL} } }`, { id: message })
  expect(errors).toBeUndefined()
  return data.message.mail
}

test('a message keeps whom its mail was to, and who got copies', async () => {
  const cc = ['"Eve, of Sales" <Eve@Partner.example>', 'dan@example.com'].join(', ')
  expect(
    await mailOf({
      from: 'Carl <carl@example.com>',
      to: `Support <${SUPPORT}>, other@boats.example`,
      headers: { Cc: cc, 'Reply-To': 'Desk <desk@example.com>' },
    }),
  ).toEqual({
    from: { address: 'carl@example.com', name: 'Carl' },
    to: [
      { address: SUPPORT, name: 'Support' },
      { address: 'other@boats.example', name: null },
    ],
    cc: [
      { address: 'eve@partner.example', name: 'Eve, of Sales' },
      { address: 'dan@example.com', name: null },
    ],
    replyTo: { address: 'desk@example.com', name: 'Desk' },
    auth: 'UNPROVED',
    original: null,
  })
})

test("says what the trusted mail server found out about the sender, and keeps a reply's whole text", async () => {
  const proven = await mailOf({
    from: 'proven@example.com',
    to: SUPPORT,
    headers: {
      'Authentication-Results': 'mx.boats.example; dmarc=pass header.from=example.com',
      'In-Reply-To': '<earlier@boats.example>',
    },
    text: 'Yes.\n\nOn Mon, Nov 23, 2026 at 10:00 AM Support <support@boats.example> wrote:\n> Sail?',
  })
  expect(proven).toMatchObject({ auth: 'PROVEN', replyTo: null, original: expect.stringContaining('> Sail?') })
  const failed = await mailOf({
    from: 'failed@example.com',
    to: SUPPORT,
    headers: { 'Authentication-Results': 'mx.boats.example; dmarc=fail header.from=example.com' },
  })
  expect(failed).toMatchObject({ auth: 'FAILED', cc: [] })
})

test('a crowd of recipients is cut at 50, and their text stays one line', async () => {
  const crowd = Array.from({ length: 120 }, (_, at) => `"A\tname" <c${at}@example.com>`).join(',\r\n ')
  const { cc, to } = await mailOf({ from: 'crowd@example.com', to: SUPPORT, headers: { Cc: crowd } })
  expect(to).toHaveLength(1)
  expect(cc).toHaveLength(50)
  expect((cc as object[])[0]).toEqual({ address: 'c0@example.com', name: 'A name' })
})

test('no consumer reads the head of a mail, which names addresses of others', async () => {
  await mailOf({ from: 'guest@example.com', to: SUPPORT, headers: { Cc: 'hidden@example.com' }, text: 'for a guest' })
  const found = await app.gql(
    admin,
    'query { messages(filter: { text: { eq: "for a guest" } }) { edges { node { conversationId } } } }',
  )
  expect(found.errors).toBeUndefined()
  const id = found.data.messages.edges[0].node.conversationId
  const made = await app.gql(admin, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', { id })
  const said = await app.gql(
    made.data.createGuestToken.token,
    `query ($id: ID!) { conversation(id: $id) { messages(first: 9) { edges { node { text meta ${MAIL} } } } } }`,
    { id },
  )
  expect(said.errors).toBeUndefined()
  expect(said.data.conversation.messages.edges).toHaveLength(1)
  expect(said.data.conversation.messages.edges[0].node).toMatchObject({ text: 'for a guest', mail: null })
  expect(JSON.stringify(said.data)).not.toContain('hidden')
})
