import { describe, expect, it } from '@jest/globals'
import { isGenuine } from '@switchboard/client/webhooks'
import { newSecret, signatureHeaders } from '../../src/modules/webhooks/signing.js'

const body = JSON.stringify({ id: 'x', event: 'message.create.contact.chat' })
const sentAt = new Date('2026-11-22T10:00:00Z')
const now = sentAt.getTime() + 1_000
const signed = (...secrets: string[]) =>
  signatureHeaders({ id: '01900000-0000-7000-8000-000000000000', sentAt, body, secrets })

describe('the signature of a delivery', () => {
  it.each([
    ['made by the server', newSecret()],
    ['as written', 'correct horse'],
  ])('is genuine by a secret %s', async (_kind, secret) => {
    expect(await isGenuine(body, signed(secret), secret, now)).toBe(true)
    expect(await isGenuine(body, new Headers(signed(secret)), secret, now)).toBe(true)
  })

  it('is valid by the old and by the new secret during a rotation', async () => {
    const [current, replaced] = [newSecret(), newSecret()]
    const headers = signed(current, replaced)
    expect(
      await Promise.all([current, replaced, newSecret()].map((each) => isGenuine(body, headers, each, now))),
    ).toEqual([true, true, false])
  })

  it('is invalid for another body, another time, no signature, or garbage', async () => {
    const secret = newSecret()
    const headers = signed(secret)
    const forged: [string, Record<string, string>, number][] = [
      [`${body} `, headers, now],
      [body, headers, now + 6 * 60_000],
      [body, headers, now - 6 * 60_000],
      [body, { ...headers, 'webhook-timestamp': 'soon' }, now],
      [body, { ...headers, 'webhook-id': 'another' }, now],
      [body, { ...headers, 'webhook-signature': 'v1,%%% v2,x v1' }, now],
      [body, {}, now],
    ]
    for (const [text, given, at] of forged) expect(await isGenuine(text, given, secret, at)).toBe(false)
  })
})
