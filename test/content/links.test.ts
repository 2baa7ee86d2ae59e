import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { linksIn } from '../../web/shared/links.js'

const hrefs = (text: string): (string | undefined)[] =>
  linksIn(text)
    .map(({ href }) => href)
    .filter(Boolean)

describe('links in a plain text', () => {
  it.each([
    ['see https://harbour.example/cranes?id=2#top.', ['https://harbour.example/cranes?id=2#top']],
    ['(www.harbour.example/a_(b))', ['https://www.harbour.example/a_(b)']],
    ['mail ann@harbour.example, or call +31 20 123 45 67!', ['mailto:ann@harbour.example', 'tel:+31201234567']],
    [
      '"https://a.example" and https://b.example, https://c.example',
      ['https://a.example/', 'https://b.example/', 'https://c.example/'],
    ],
    ['javascript:alert(1) data:text/html,x file:///etc/passwd', []],
    ['https://bank.example@evil.example', []],
    ['https://@12345678', []],
    ['https://a.example:8080/b', ['https://a.example:8080/b']],
    ['https://@bank.example and https://@12345678 and https://:@bank.example', []],
    ['https:///bank.example@evil.example', []],
    ['http://', []],
    ['1 + 12345678 is not called, and @ann is no mail', []],
  ])('%s', (text, expected) => {
    expect(hrefs(text)).toEqual(expected)
  })

  it('shows a host of letters that look like others as the browser asks for it', () => {
    const [link] = linksIn('https://раypal.com/login')
    expect(link!.text).toMatch(/^https:\/\/xn--/)
    // Browsers pass over any number of slashes.
    expect(linksIn('https:///раypal.com')[0]!.text).toMatch(/^https:\/\/xn--/)
    expect(linksIn('https://münchen.de')[0]!.text).toBe('https://münchen.de')
    // Signs that turn the direction of what follows end an address.
    expect(linksIn('https://a.example/\u202Egpj.exe')[0]!.text).toBe('https://a.example/')
  })

  it.each([
    'https://p\u0251yp\u0251l.com',
    'https://\u0261oogle.com',
    'https://\u1D18\u1D00\u028F\u1D18\u1D00\u029F.com',
    'https://\u01BDpaypal.com',
    'https://paypa\u0131.com',
    'https://\u017Fecure.com',
    'https://paypal.com\u3002evil.com',
    'www.р\u0430ypal.com',
    'info@р\u0430ypal.com',
  ])('shows the host of %s in ASCII', (text) => {
    const [link] = linksIn(text)
    expect(link!.text).toMatch(/^[\x20-\x7e]+$/)
    expect(link!.href).toMatch(/^[\x20-\x7e]+$/)
  })

  it('leaves what has accents as it is, also in a mail address', () => {
    expect(linksIn('info@münchen.de, and others')[0]!.text).toBe('info@münchen.de')
    expect(linksIn('www.Ärzte.at')[0]!.text).toBe('www.Ärzte.at')
  })

  it('cuts off brackets that close nothing', () => {
    expect(hrefs('(see https://a.example/b_(c)).)')).toEqual(['https://a.example/b_(c)'])
    expect(hrefs('[https://a.example]')).toEqual(['https://a.example/'])
    expect(hrefs('https://a.example/(b))),')).toEqual(['https://a.example/(b)'])
  })

  it('leaves every text as it was, whatever is in it, but for such hosts', () => {
    const pieces = fc.constantFrom(
      'https://',
      'www.',
      'a.nl',
      '@',
      '+31 20 ',
      ' ',
      ').',
      '(',
      'é',
      '\u202E',
      '\n',
      '12345678',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const shown = linksIn(text)
        if (!shown.some((part) => part.text.includes('xn--')))
          expect(shown.map((part) => part.text).join('')).toBe(text)
        for (const { href } of shown) if (href) expect(href).toMatch(/^(?:https?:|mailto:|tel:)/)
      }),
    )
  })

  it('takes a text of 100,000 characters', () => {
    for (const text of [
      'a'.repeat(100_000),
      'a@'.repeat(50_000),
      `https://${'a.'.repeat(50_000)}`,
      `https://x${')'.repeat(1_990)} `.repeat(50),
      '+1'.repeat(50_000),
    ])
      expect(
        linksIn(text)
          .map((part) => part.text)
          .join('').length,
      ).toBeGreaterThan(0)
  })
})
