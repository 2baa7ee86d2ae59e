import { describe, expect, it } from '@jest/globals'
import { Masker, MASKED_KINDS } from '../../src/platform/masking/masker.js'

const masked = (text: string): string => new Masker(MASKED_KINDS).text(text)

describe('a text that is masked', () => {
  it.each([
    ['write to jan.de-vries+x@example.co.uk.', 'write to [email 1].'],
    ['<a href="mailto:a@b.nl">a@b.nl</a>', '<a href="mailto:[email 1]">[email 1]</a>'],
    ['https://x.nl/?email=jan@x.nl&page=2', 'https://x.nl/?email=[email 1]&page=2'],
    ['A@x.nl, b@x.nl, a@X.nl', '[email 1], [email 2], [email 1]'],
    ['jürgen@müller.de', '[email 1]'],
    ['+31 20 123 4567 or 0031201234567', '[phone 1] or [phone 1]'],
    ['020-1234567, (030) 123 4567, 555-123-4567', '[phone 1], [phone 2], [phone 3]'],
    ['whatsapp 31612345678', 'whatsapp [phone 1]'],
    ['<a href="tel:+4930123456">', '<a href="tel:[phone 1]">'],
    ['born 30.11.1990, 0201234567', 'born 30.11.1990, [phone 1]'],
    ['4111 1111 1111 1111 12/27', '[card 1] 12/27'],
    ['4111-1111-1111-1111 and 4111111111111111.', '[card 1] and [card 1].'],
    ['DE89 3704 0044 0532 0130 00 please', '[iban 1] please'],
    ['NL91ABNA0417164300 and nl91 abna 0417 1643 00', '[iban 1] and [iban 1]'],
    ['a@b.nl +31201234567 4111111111111111', '[email 1] [phone 1] [card 1]'],
    ['+31201234567 2026-11-30', '[phone 1] 2026-11-30'],
    ['+31 20 123 4567 / 020 765 4321', '[phone 1] / [phone 2]'],
    ['+31 6 12345678 12345', '[phone 1] 12345'],
    ['020 123 4567 / 020 765 4321', '[phone 1] / [phone 2]'],
    ['(020) - 123 45 67, 030 / 1234567, 020–1234567', '[phone 1], [phone 2], [phone 1]'],
    ['4111–1111–1111–1111', '[card 1]'],
    ['555-123-4567 12 Main St, 31612345678 2 persons', '[phone 1] 12 Main St, [phone 2] 2 persons'],
    ['0201234567\n0207654321', '[phone 1]\n[phone 2]'],
    ['0 2 0 1 2 3 4 5 6 7', '[phone 1]'],
    ['https://x.nl/?email=jan%40x.nl&tel=%2B31612345678', 'https://x.nl/?email=[email 1]&tel=%2B[phone 1]'],
    ['4111.1111.1111.1111, 4111_1111_1111_1111.pdf', '[card 1], [card 1].pdf'],
    ['NL91.ABNA.0417.1643.00', '[iban 1]'],
    // A text that was shortened: half of one.
    ['my card is 4111 1111 1111 111…', 'my card is …'],
    ['my account is NL91 ABNA 0417…', 'my account is …'],
    ['I am zoe@quill…', 'I am …'],
  ])('has nothing of that left: %s', (text, expected) => {
    expect(masked(text)).toBe(expected)
    // Nothing is masked twice.
    expect(masked(expected)).toBe(expected)
  })

  it.each([
    'order 10023456789 of 2026-11-30 12:30, 30.11.2026',
    'open 09:00-17:00, 12 345 678 EUR, 1.234.567,89',
    '2026-11-30T09:21:19.000Z',
    '01a22bc5-2f6b-7748-bbde-bd5dc31717ef',
    '12345678-1234-4234-8234-123456789012',
    'a card with a slip: 4111 1111 1111 1112',
    'an account with a slip: DE88370400440532013000',
    '192.168.100.200, v1.2.3, @here, a@b',
    '2026-11-30T09:21:09.123456+00:00',
    'https://x.nl/v2/attachments/0199dddd-0123-7456-9abc-123456789012/a.png?s=1',
    'conversation://01a22bc5-0123-7456-9abc-012345678901',
    // Marks of conversations.
    '0.1.012345',
    '12.30.abcdef',
    'There are 20 of them …',
    '',
  ])('keeps all else: %s', (text) => {
    expect(masked(text)).toBe(text)
  })

  it('has only the chosen kinds masked', () => {
    expect(new Masker(['card']).text('a@b.nl, 4111111111111111, +31201234567')).toBe('a@b.nl, [card 1], +31201234567')
  })
})

describe('data that is masked', () => {
  it('has the same number for the same one everywhere, in values, names of fields and long numbers', async () => {
    const data = {
      id: '01a22bc5-2f6b-7748-bbde-bd5dc31717ef',
      count: 2_026_113_012,
      meta: { 'a@b.nl': ['call +31201234567', 31_201_234_567, null, true] },
      texts: ['b@b.nl', 'a@b.nl'],
    }
    const before = JSON.stringify(data)
    expect(await new Masker(MASKED_KINDS).data(data)).toEqual({
      id: data.id,
      count: 2_026_113_012,
      meta: { '[email 1]': ['call [phone 1]', '[phone 1]', null, true] },
      texts: ['[email 2]', '[email 1]'],
    })
    // It belongs to others too.
    expect(JSON.stringify(data)).toBe(before)
  })

  it('has a field named `__proto__` as any other', async () => {
    const data: unknown = JSON.parse('{"__proto__": {"mail": "a@b.nl"}}')
    expect(JSON.stringify(await new Masker(MASKED_KINDS).data(data))).toBe('{"__proto__":{"mail":"[email 1]"}}')
  })

  it('leaves the thread to others while there is much of it', async () => {
    const data = Array.from({ length: 400 }, (_, index) => `${'DE12 2222 '.repeat(1_000)} a${index}@b.nl`)
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const last = (await new Masker(MASKED_KINDS).data(data)).at(-1)
    isDone = true
    expect(last).toMatch(/\[email 400\]$/)
    expect(turns).toBeGreaterThan(1)
  })
})
