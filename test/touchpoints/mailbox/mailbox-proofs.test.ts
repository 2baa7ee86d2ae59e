import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hasDovecot } from '../../support/dovecot.js'
import { deliver, letter } from './mail-client.js'
import { startMailboxFixture, type MailboxFixture } from './mailbox-fixture.js'

const withDovecot = hasDovecot() ? describe : describe.skip

const HOST = 'mx.harbour.example'
const FROM = 'Carl <carl@boats.example>'
const PASSED = 'dmarc=pass (p=reject) header.from=boats.example'
const FAILED = 'dmarc=fail header.from=boats.example'
const RECEIVED = 'Received: from relay.evil.example by elsewhere.example; Fri, 27 Nov 2026 10:00:00 +0000'

const results = (said: string, host = HOST): string => `Authentication-Results: ${host}; ${said}`

/** Lines that the mailbox's server wrote above a mail, or that came with it, by the proof that they make. */
const MAILS: readonly (readonly [proof: string, head: readonly string[]])[] = [
  ['proven', [results(PASSED)]],
  ['proven', [results('spf=pass smtp.mailfrom=carl@boats.example')]],
  ['failed', [results(FAILED)]],
  // Of a host that nobody named, alone or above the one that counts.
  ['unproved', [results(PASSED, 'mx.evil.example')]],
  ['unproved', [results(PASSED, `${HOST}.evil.example`)]],
  ['failed', [results(PASSED, 'mx.evil.example'), results(FAILED)]],
  ['failed', [results(PASSED, `"${HOST}.evil.example"`), results(FAILED)]],
  ['proven', [results(FAILED, 'mx.evil.example'), results(PASSED)]],
  // In the name of the host, by whoever sent it: below what the host wrote, and below its way.
  ['failed', [results(FAILED), results(PASSED)]],
  ['failed', [results(FAILED), RECEIVED, results(PASSED)]],
  ['unproved', [results('spf=none'), RECEIVED, results(PASSED)]],
  ['unproved', [results('dmarc=none; dkim=none; spf=none'), results('dkim=pass header.d=boats.example')]],
  ['unproved', [results(`dmarc=none (${PASSED})`)]],
  ['unproved', []],
]

withDovecot('mail of a mailbox (4.7)', () => {
  let fixture: MailboxFixture
  beforeAll(async () => {
    fixture = await startMailboxFixture()
  })
  afterAll(() => fixture?.close())

  /** Lets the service read mails with these heads. @returns the proofs of their senders, in order */
  async function proofsOf(more: object, heads: readonly (readonly string[])[]): Promise<string[]> {
    const service = await fixture.read(more)
    const texts = heads.map((_, number) => `Mail ${number}`)
    const mails = heads.map((head, number) => [...head, letter({ from: FROM, text: texts[number] })].join('\r\n'))
    await deliver(fixture.mail, mails)
    await fixture.settled(service, heads.length)
    const said = await fixture.receivedBy(service)
    const sender = ({ meta }: { meta: Record<string, unknown> | null }) =>
      meta?._sender as { proof: string } | undefined
    return texts.map((text) => {
      const mail = said.find((each) => each.text === text)
      return mail ? (sender(mail)?.proof ?? 'proven') : 'lost'
    })
  }

  it('is judged by what the named host found, and by nothing that somebody else wrote', async () => {
    // Names of hosts are the same in capitals.
    const proofs = await proofsOf(
      { authservId: 'MX.Harbour.Example' },
      MAILS.map(([, head]) => head),
    )
    expect(proofs.map((proof, at) => [proof, MAILS[at]![1]])).toEqual(MAILS)
  })

  it('is not judged by any host where the service names none', async () => {
    expect(await proofsOf({ address: 'nobody@harbour.example' }, [[results(PASSED)], [results(FAILED)]])).toEqual([
      'unproved',
      'unproved',
    ])
  })
})
