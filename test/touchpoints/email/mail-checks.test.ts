import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { dkimSign } from 'mailauth'
import { pino } from 'pino'
import { CheckThread } from '../../../src/modules/touchpoints/email/check-thread.js'
import { MailChecker } from '../../../src/modules/touchpoints/email/mail-checker.js'
import type { Verdict } from '../../../src/modules/touchpoints/email/sender-proof.js'
import { startNameServer, type NameServer } from '../../support/name-server.js'
import { until } from '../../support/until.js'
import { dkimKeys, rawMail } from './mails.js'

const MEBIBYTE = 1_048_576
const KEYS = dkimKeys()

let names: NameServer
let checker: MailChecker

beforeAll(async () => {
  names = await startNameServer()
  names.texts.set('key._domainkey.signed.example', [KEYS.record])
  checker = new MailChecker({ dnsServers: [names.address], log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await checker.close()
  await names.close()
})

interface Way {
  network?: string
  center?: string
  service?: string
}

function check(raw: string, { network = '192.0.2.1', center = 'o', service = 's' }: Way = {}): Promise<Verdict> {
  return checker.check(Buffer.from(raw), {
    address: 'carl@signed.example',
    signatures: 1,
    way: { ip: network, helo: 'x', sender: 'carl@signed.example' },
    turn: { service: { id: service, org1: center, org2: null }, network },
  })
}

/** A signed mail. */
async function signed(parts: { text?: string } = {}): Promise<string> {
  const key = { signingDomain: 'signed.example', selector: 'key', privateKey: KEYS.privateKey }
  const raw = rawMail({ from: 'carl@signed.example', to: 'support@boats.example', ...parts })
  return (await dkimSign(raw, { ...key, signatureData: [key] })).signatures + raw
}

const PROVEN = { proof: 'proven' }
const SIGNATURE =
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=signed.example; s=key; h=from; bh=AAAA; b=AAAA\r\n'

/** A mail that is one long line, which is read anew for each piece of it. */
const dear = (mebibytes: number): string =>
  `${SIGNATURE}From: carl@signed.example\r\n\r\n${'x'.repeat(mebibytes * MEBIBYTE)}`

describe('a mail whose sender is dear to check', () => {
  it.each<[string, (index: number) => Way, Way]>([
    ['one network', () => ({}), { network: '192.0.2.2' }],
    [
      'one network, to as many services',
      (index) => ({ center: `c${index}`, service: `s${index}` }),
      { network: '192.0.2.2' },
    ],
    [
      'as many networks, to another service',
      (index) => ({ network: `198.51.100.${index}` }),
      { network: '192.0.2.2', service: 't' },
    ],
  ])('of %s holds up no other', async (_what, others, way) => {
    const raw = await signed({ text: `${'x'.repeat(70)}\r\n`.repeat(5_000) })
    let done = 0
    const all = Array.from({ length: 6 }, (_, index) => check(dear(4), others(index)).finally(() => (done += 1)))
    expect(await check(raw, way)).toMatchObject(PROVEN)
    // One is being checked, and others end by the time this is known.
    expect(done).toBeLessThanOrEqual(3)
    expect((await Promise.all(all)).map(({ proof }) => proof)).toEqual(Array(6).fill('unproved'))
  })

  it('is unproved once it has had its time, and what waited for it is checked', async () => {
    const raw = await signed({ text: `${'x'.repeat(70)}\r\n`.repeat(5_000) })
    const [late, ...others] = await Promise.all([
      // Undecided, as after a name server's silence, where the clock ends it before it has had its time of a processor.
      until(
        () => check(dear(40)),
        ({ isTemporary }) => !isTemporary,
      ),
      check(raw, { network: '192.0.2.2' }),
      check(raw, { network: '192.0.2.3' }),
    ])
    expect(late).toEqual({ proof: 'unproved', isTemporary: false })
    expect(others).toMatchObject([PROVEN, PROVEN])
  })

  it('is unproved if it has more than ten signatures', async () => {
    const asked = names.asked.length
    const raw = Buffer.from(SIGNATURE.repeat(11) + (await signed()))
    const turn = { service: { id: 's', org1: 'o', org2: null }, network: '192.0.2.1' }
    const verdict = await checker.check(raw, { address: 'carl@signed.example', way: null, turn, signatures: 12 })
    expect(verdict).toEqual({ proof: 'unproved', isTemporary: false })
    expect(names.asked).toHaveLength(asked)
  })
})

it('a mail is begun anew if the thread that it was given to ends for another', async () => {
  const asked: string[] = []
  const thread = new CheckThread({
    log: pino({ level: 'silent' }),
    isForOneAtATime: false,
    lookUp(name) {
      asked.push(name)
      // The first one is never answered.
      if (asked.length === 1) return new Promise<never>(() => undefined)
      const key = KEYS.record
      return Promise.resolve(name.startsWith('key.') ? { records: [[key]] } : { code: 'ENOTFOUND' })
    },
  })
  const turn = { service: { id: 's', org1: 'o', org2: null }, network: '192.0.2.1' }
  const waiting = thread.check(Buffer.from(await signed()), null, turn)
  await until(() => asked.length === 1)
  expect(await thread.check(Buffer.from(dear(40)), null, turn)).toBe('too dear')
  expect(await waiting).toMatchObject({ dkim: { results: [{ status: { result: 'pass' } }] } })
  await thread.close()
})
