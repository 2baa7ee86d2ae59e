import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import type { MadeUser } from '../../support/factories.js'
import { startForwardFixture, type ForwardFixture } from './forward-fixture.js'

let f: ForwardFixture
let channel: string
beforeAll(async () => {
  f = await startForwardFixture()
  const made = await f.must(f.admin, 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }', {
    input: { name: 'Boats', members: [{ user: f.agent.id }] },
  })
  channel = made.createChannel.id
})
afterAll(() => f.close())

const own = (signature: string | null, as = f.agent): Promise<unknown> =>
  f.must(as, 'mutation ($patch: UserSettingsInput!) { updateMySettings(patch: $patch) { id } }', {
    patch: { signature },
  })
const ofChannel = (signature: string | null, id = channel): Promise<unknown> =>
  f.must(f.admin, 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }', {
    id,
    patch: { signature },
  })
const ofService = (signature: string | null): Promise<unknown> =>
  f.must(f.admin, 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }', {
    id: f.service,
    patch: { settings: { email: { address: 'support@boats.example', inboundSecret: '********', signature } } },
  })

beforeEach(async () => {
  await own(null)
  await ofChannel(null)
  await ofService(null)
})

const SEND =
  'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id text } }'

async function say(conversation: string, message: object, as: MadeUser = f.agent): Promise<string> {
  const data = await f.must(as, SEND, { id: conversation, message: { role: 'AGENT', ...message } })
  return data.sendMessage.id
}

/** Returns the mail that the consumer gets of an answer. */
async function got(name: string, message: object, as?: MadeUser): Promise<{ text: string; html: string }> {
  const { conversation } = await f.begin(name, { subject: `Of ${name}` })
  const id = await say(conversation, message, as)
  await f.becomes(id, 'SENT')
  const { email } = await f.sentTo(`${name}@example.com`, `Of ${name}`)
  return { text: email.text!.trim(), html: email.html! }
}

describe('the signature of a mail', () => {
  it('is the user’s own, below the text and above what was said before, in both parts, and not in the message', async () => {
    await own('<p>Ann &amp; co<br><a href="https://boats.example">boats</a><script>x</script></p>')
    const { conversation } = await f.begin('anna', { subject: 'Of anna' })
    const id = await say(conversation, { text: 'Hello' })
    expect(await f.shown(id)).toMatchObject({ text: 'Hello' })
    await f.becomes(id, 'SENT')
    const { email } = await f.sentTo('anna@example.com', 'Of anna')
    expect(email.text!.trim()).toBe(
      'Hello\n\n-- \nAnn & co\nboats (https://boats.example)\n\nYou wrote to Harbour Boats:\n\n> I am anna',
    )
    expect(email.html).toMatch(
      /<p>Hello<\/p>\n<div><p>Ann &amp; co<br \/><a href="https:\/\/boats\.example"[^>]*>boats<\/a><\/p><\/div>\n<p>You wrote/,
    )
    const [{ events }] = (await f.app.server.database.query(
      `select count(*)::int as events from event where stream like 'conversation:%' and data::text like '%Ann &amp;%'`,
    )) as [{ events: number }]
    expect(events).toBe(0)
  })

  it('is the channel’s, then the user’s, then the service’s; a composer sees the same', async () => {
    const seen = async (id: string, as = f.agent): Promise<string | null> =>
      (await f.must(as, 'query ($id: ID!) { conversation(id: $id) { signature } }', { id })).conversation.signature
    await ofService('<p>The harbour</p>')
    expect((await got('bert', { text: 'Hi' })).text).toContain('-- \nThe harbour')
    await own('<p>Just Ann</p>')
    expect((await got('bea', { text: 'Hi' })).text).toContain('-- \nJust Ann')
    await ofChannel('<p>{{ agent.name }} of the boats</p>')
    const mail = await got('bob', { text: 'Hi' })
    expect(mail.text).toContain('-- \nAnn of the boats')
    const { conversation } = await f.begin('bill')
    expect(await seen(conversation)).toBe('<p>Ann of the boats</p>')
    const other = await f.must(
      f.admin,
      'mutation { createChannel(input: { name: "Masts", signature: "<p>Masts</p>" }) { id } }',
    )
    const masts = other.createChannel.id
    await f.must(
      f.agent,
      'mutation ($id: ID!, $channel: ID!) { handOverConversation(conversation: $id, channel: $channel) { id } }',
      { id: conversation, channel: masts },
    )
    await f.must(f.agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: conversation })
    expect(await seen(conversation)).toBe('<p>Masts</p>')
    const bot = await f.app.makeUser({ organization: f.organization, role: 'bot' })
    expect(await seen(conversation, bot)).toBeNull()
    // What is sent now has what the composer showed.
    await f.becomes(await say(conversation, { text: 'Aye' }), 'SENT')
    expect((await f.sentTo('bill@example.com', 'Boats')).email.text).toContain('-- \nMasts')
    await f.must(f.agent, 'mutation ($id: ID!) { leaveConversation(conversation: $id) { id } }', { id: conversation })
    await f.must(f.admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: masts })
  })

  it('is not in what a bot says, in notes, in what the text has already, nor where there is none', async () => {
    await ofService('<p>The harbour, always</p>')
    const bot = await f.app.makeUser({ organization: f.organization, role: 'bot' })
    expect((await got('carl', { text: 'Beep' }, bot)).text).not.toContain('harbour, always')
    expect((await got('cora', { text: 'Yours,\nThe  harbour, always' })).text.match(/always/g)).toHaveLength(1)
    // A word of it is not the whole of it.
    const inside = await got('cyra', { text: 'From The harbour, always open' })
    expect(inside.text).toContain('-- \nThe harbour, always')
    // Nor is it a signature within the text, or in what is quoted.
    const within = 'We ask for your patience.\nThe harbour, always\nwill answer you on Monday.'
    expect((await got('cato', { text: within })).text).toContain('-- \nThe harbour, always')
    const above = 'Aye\nThe harbour, always\nOn Monday Erna wrote:\n> When?'
    expect((await got('cleo', { text: above })).text.match(/always/g)).toHaveLength(1)
    const html = { text: '<p>Hi</p><blockquote>The harbour, always</blockquote>', contentType: 'TEXT_HTML' }
    expect((await got('cleon', html)).html.match(/always/g)).toHaveLength(2)
    await ofService(null)
    expect((await got('cid', { text: 'Plain' })).text).not.toContain('--')
  })

  it('is fixed at the first attempt: a retry after a change sends the same mail', async () => {
    await own('<p>First words</p>')
    const { conversation } = await f.begin('dora', { subject: 'Of dora' })
    for (let each = 0; each < 3; each += 1) f.box.next('rcpt', '451 4.3.0 later')
    const id = await say(conversation, { text: 'Wait for it' })
    await until(
      async () => (await f.shown(id)).deliveries[0],
      (delivery) => delivery?.reason != null,
    )
    await own('<p>Other words</p>')
    await f.becomes(id, 'SENT')
    expect((await f.sentTo('dora@example.com', 'Of dora')).email.text).toContain('-- \nFirst words')
    f.box.next('rcpt', '550 5.7.1 no')
    const refused = await say(conversation, { text: 'And again' })
    const { deliveries } = await f.becomes(refused, 'FAILED')
    await own(null)
    await f.must(f.agent, 'mutation ($id: ID!) { retryDelivery(id: $id) { id } }', { id: deliveries[0]!.id })
    await f.becomes(refused, 'SENT')
    expect((await f.sentTo('dora@example.com', 'Of dora')).email.text).toContain('-- \nOther words')
    await f.must(f.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: refused })
    const left = await f.app.server.database.query(`select 1 from delivery where signature like '%Other words%'`)
    expect(left).toEqual([])
  })

  it('of a delayed message is that of the time at which it is sent', async () => {
    await own('<p>Before</p>')
    const { conversation } = await f.begin('emil', { subject: 'Of emil' })
    await say(conversation, { text: 'Later', delay: 1_500 })
    await own('<p>After</p>')
    expect((await f.sentTo('emil@example.com', 'Of emil')).email.text).toContain('-- \nAfter')
  })

  it.each([
    ['too long', 'x'.repeat(10_241), 'at most 10240'],
    ['longer than allowed once it is escaped', '&'.repeat(10_000), 'at most 10240'],
    ['with a placeholder that nothing fills', '<p>{{ givenName }}</p>', '{{ givenName }}'],
  ])('is refused if it is %s, with its field', async (_case, signature, words) => {
    const refused = async (document: string, variables: object) => {
      const { errors } = await f.app.gql(f.admin, document, variables as Record<string, unknown>)
      return { ...errors?.[0]?.extensions, message: errors?.[0]?.message }
    }
    const settings = 'mutation ($patch: UserSettingsInput!) { updateMySettings(patch: $patch) { id } }'
    expect(await refused(settings, { patch: { signature } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'patch.signature',
      message: expect.stringContaining(words),
    })
    const update = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
    expect(await refused(update, { id: channel, patch: { signature } })).toMatchObject({ field: 'signature' })
    const service = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    const settingsOf = { email: { address: 'support@boats.example', signature } }
    expect(await refused(service, { id: f.service, patch: { settings: settingsOf } })).toMatchObject({
      field: 'settings.email.signature',
    })
  })

  it('is set with a version, by /v2 too, and is in the audit log', async () => {
    const update = `mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { version signature } }`
    const { updateChannel } = await f.must(f.admin, update, { id: channel, patch: { signature: '<p>A</p>' } })
    expect(updateChannel.signature).toBe('<p>A</p>')
    const late = { signature: '<p>B</p>', ifVersion: updateChannel.version - 1 }
    const { errors } = await f.app.gql(f.admin, update, { id: channel, patch: late })
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'OTHER_VERSION' })
    const shown = await f.app.rest(f.admin, 'GET', `/v2/channels/${channel}`)
    expect(shown.body).toMatchObject({ signature: '<p>A</p>' })
    const patched = await f.app.rest(f.admin, 'PATCH', `/v2/channels/${channel}`, { signature: '<p>C<i>!</i></p>' })
    expect(patched.body).toMatchObject({ signature: '<p>C<i>!</i></p>' })
    const me = await f.app.rest(f.admin, 'PATCH', '/v2/users/me', { settings: { signature: '<p>Me</p>' } })
    expect(me.body).toMatchObject({ settings: { signature: '<p>Me</p>' } })
    const log = await f.must(f.admin, '{ auditEntries(first: 5) { edges { node { action details } } } }')
    expect(JSON.stringify(log)).toContain('<p>C<i>!</i></p>')
  })
})
