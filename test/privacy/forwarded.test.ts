import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { until } from '../support/until.js'
import { startForwardFixture, type ForwardFixture } from '../touchpoints/email/forward-fixture.js'
import { Exports } from './exports.js'
import { erasureDone } from './erasure-done.js'
import { tablesWith } from './tables-with.js'

const GONE = 'xenia.zqcanary@supplier.example'
const OTHER = 'otto@supplier.example'

let f: ForwardFixture
beforeAll(async () => void (f = await startForwardFixture()))
afterAll(() => f.close())

/** @returns the number of messages that had been forwarded */
async function erase(contact: string): Promise<number> {
  const erasure = await f.must(f.admin, 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', {
    id: contact,
  })
  const { id } = erasure.eraseContact
  await erasureDone(f.app, id)
  const { contactErasure } = await f.must(f.admin, 'query ($id: ID!) { contactErasure(id: $id) { forwards } }', { id })
  return contactErasure.forwards
}

it('who is erased is named neither as whom a message was forwarded to, nor as who answered', async () => {
  const supplier = await f.mail({ from: `Xenia <${GONE}>`, text: 'We deliver' })
  const { message, conversation } = await f.begin('carl', { subject: 'A leak' })
  const note = await f.forward(message, [GONE, OTHER], { key: 'once' })
  const sent = await f.sentTo(GONE, 'A leak')
  await f.becomes(note.id, 'SENT')
  const answered = await f.answer(sent, { from: `Xenia Zqcanary <${GONE}>`, text: 'On Monday' })
  expect(answered).toMatchObject({ conversation })
  expect(await tablesWith(f.app.server.database, 'zqcanary')).toEqual(
    expect.arrayContaining(['contact', 'delivery', 'event', 'message']),
  )
  await erase(supplier.contact!)
  await until(
    () => tablesWith(f.app.server.database, 'zqcanary'),
    (tables) => tables.length === 0,
  )
  expect(await f.shown(note.id)).toMatchObject({
    forwarding: { messageId: message, to: [OTHER] },
    deliveries: [{ recipient: OTHER, copies: [], status: 'SENT' }],
  })
  expect(await f.shown(answered.message)).toMatchObject({ text: 'On Monday', mail: { from: { address: '' } } })
})

it('who got what is forwarded is nobody of the consumer, whose erasure takes the note and leaves others as they are', async () => {
  const copied = await f.begin('dora', { headers: { Cc: OTHER }, text: 'Otto knows' })
  const { message, conversation, contact } = await f.begin('emil', { subject: 'A mast' })
  const note = await f.forward(message, [OTHER])
  const sent = await f.sentTo(OTHER, 'A mast')
  await f.becomes(note.id, 'SENT')
  const answered = await f.answer(sent, { from: OTHER, text: 'Masts are out' })
  // What is kept of the consumer is given to it without them, also where it asks for all.
  const { files } = await new Exports(f.app).opened(f.admin, contact!, true)
  const all = [...files.values()].map((bytes) => bytes.toString('utf8')).join('\n')
  expect(all).toContain('Masts are out')
  expect(all).toContain('Somebody outside')
  expect(all).not.toContain(OTHER)
  expect(await erase(contact!)).toBe(1)
  const left = await f.app.server.database.query('select id from message where conversation_id = $1', [conversation])
  expect(left).toEqual([])
  const { data } = await f.app.gql(f.admin, 'query ($id: ID!) { message(id: $id) { mail { cc { address } } } }', {
    id: copied.message,
  })
  expect(data.message.mail.cc).toEqual([{ address: OTHER }])
  expect(await f.answer(sent, { from: OTHER, text: 'Still out' })).toMatchObject({
    ignored: expect.stringContaining('gone'),
  })
  expect(answered.contact).toBeNull()
})
