import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { optOutWord } from '../../../src/modules/touchpoints/sms/opt-out-words.js'
import { smsSize } from '../../../src/modules/touchpoints/sms/sms-size.js'
import { isSignedByTwilio } from '../../../src/modules/touchpoints/sms/twilio-signature.js'

const bytes = (form: URLSearchParams): Buffer => Buffer.from(form.toString())

describe('segments of an SMS (3GPP 23.038)', () => {
  it.each([
    ['', 'GSM-7', 0, 1],
    ['a'.repeat(160), 'GSM-7', 160, 1],
    ['a'.repeat(161), 'GSM-7', 161, 2],
    ['a'.repeat(306), 'GSM-7', 306, 2],
    ['a'.repeat(307), 'GSM-7', 307, 3],
    // Of the extension: an escape and a septet, which stay together.
    ['€'.repeat(80), 'GSM-7', 160, 1],
    ['€'.repeat(81), 'GSM-7', 162, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 3],
    ['Ω{}[]~\\|^é ü', 'GSM-7', 20, 1],
    ['ç', 'UCS-2', 1, 1],
    ['ж'.repeat(70), 'UCS-2', 70, 1],
    ['ж'.repeat(71), 'UCS-2', 71, 2],
    ['ж'.repeat(134), 'UCS-2', 134, 2],
    ['ж'.repeat(135), 'UCS-2', 135, 3],
    ['😀'.repeat(35), 'UCS-2', 70, 1],
    // 67 units are 33 pairs and one unit that stays empty.
    ['😀'.repeat(67), 'UCS-2', 134, 3],
  ])('%.12s…: %s, %i units, %i', (text, encoding, units, segments) => {
    expect(smsSize(text)).toEqual({ encoding, units, segments })
  })
})

describe('X-Twilio-Signature', () => {
  const params = (given: Record<string, string | string[]>): URLSearchParams => {
    return new URLSearchParams(
      Object.entries(given).flatMap(([key, value]) => [value].flat().map((each): [string, string] => [key, each])),
    )
  }
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const call = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }

  // Published: the provider's documentation of request validation, and the tests of its libraries.
  it.each<[string, string, string, URLSearchParams, string]>([
    ['the documented request', '12345', url, params(call), 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    [
      'a name with several values, one twice',
      '12345',
      url,
      params({ Sid: 'CA123', SidAccount: 'AC123', Digits: ['5678', '1234', '1234'] }),
      'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    ],
    [
      '26 parameters',
      '1c892n40nd03kdnc0112slzkl3091j20',
      'http://www.postbin.org/1ed898x',
      new URLSearchParams(
        'FromZip=89449&From=%2B15306666666&FromCity=SOUTH+LAKE+TAHOE&ApiVersion=2010-04-01&To=%2B15306384866&' +
          'CallStatus=ringing&CalledState=CA&FromState=CA&Direction=inbound&ToCity=OAKLAND&ToZip=94612&' +
          'CallerCity=SOUTH+LAKE+TAHOE&FromCountry=US&CallerName=CA+Wireless+Call&CalledCity=OAKLAND&CalledCountry=US&' +
          'Caller=%2B15306666666&CallerZip=89449&AccountSid=AC9a9f9392lad99kla0sklakjs90j092j3&Called=%2B15306384866&' +
          'CallerCountry=US&CalledZip=94612&CallSid=CAd800bb12c0426a7ea4230e492fef2a4f&CallerState=CA&ToCountry=US&ToState=CA',
      ),
      'fF+xx6dTinOaCdZ0aIeNkHr/ZAA=',
    ],
  ])('is right for %s', (_name, token, address, given, signature) => {
    expect(isSignedByTwilio(token, { url: address, form: bytes(given), signature })).toBe(true)
    expect(isSignedByTwilio(`${token}x`, { url: address, form: bytes(given), signature })).toBe(false)
    expect(isSignedByTwilio(token, { url: `${address}x`, form: bytes(given), signature })).toBe(false)
    const more = new URLSearchParams(given)
    more.append('Body', 'x')
    expect(isSignedByTwilio(token, { url: address, form: bytes(more), signature })).toBe(false)
  })

  it('is valid with and without the port', () => {
    const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8='
    const ported = url.replace('.com', '.com:443')
    expect(isSignedByTwilio('12345', { url: ported, form: bytes(params(call)), signature })).toBe(true)
  })

  it('is not looked for in more fields than the provider sends', () => {
    const many = new URLSearchParams(
      Array.from({ length: 501 }, (_, index): [string, string] => [`field${index}`, 'x']),
    )
    const fields = [...many].map(([name, value]) => name + value).toSorted()
    const signature = createHmac('sha1', '12345')
      .update(url + fields.join(''))
      .digest('base64')
    expect(isSignedByTwilio('12345', { url, form: bytes(many), signature })).toBe(false)
  })

  it.each(['', 'FAIL', 'RSOYDt4T1cUTdK1PDd93/VVr8B8', '王'.repeat(14)])('is not %s', (signature) => {
    expect(isSignedByTwilio('12345', { url, form: bytes(params(call)), signature })).toBe(false)
  })
})

describe('opt-out keywords', () => {
  it.each([
    ['STOP', 'stop'],
    [' stop. ', 'stop'],
    ['Stop all', 'stop'],
    ['arrêt', 'stop'],
    ['afmelden', 'stop'],
    ['START', 'start'],
    ['yes', 'start'],
    ['unstop!', 'start'],
    ['please stop', null],
    ['stop it', null],
    ['', null],
    ['yesterday', null],
    ['?', null],
  ] as const)('"%s" is %s', (text, expected) => {
    expect(optOutWord(text)).toBe(expected)
  })
})
