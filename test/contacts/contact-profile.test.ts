import 'reflect-metadata'
import { describe, expect, it } from '@jest/globals'
import { anything, assert, constantFrom, property, string } from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { parseProfile } from '../../src/modules/contacts/contact-profile.js'
import { parseEmailAddress, parseTelephone } from '../../src/modules/contacts/identifiers.js'
import { attempt, refusal } from '../support/refusal.js'

describe('a telephone number', () => {
  it.each([
    ['+31612345678', null, '+31612345678'],
    ['+31 (0)6 1234-5678', null, '+31612345678'],
    ['0031 6 12345678', null, '+31612345678'],
    ['06 12345678', 'NL', '+31612345678'],
    ['06-1234.5678', 'nl', '+31612345678'],
    ['+1 (555) 010-0000', 'NL', '+15550100000'],
    ['+1 555 0100', null, '+15550100'],
    ['(020) 123 45 67', 'NL', '+31201234567'],
    ['030 901820', 'DE', '+4930901820'],
  ])('%j in %s is %s', (text, country, expected) => {
    expect(parseTelephone(text, 'telephone', country)).toBe(expected)
  })

  it.each([
    ['06 12345678', null],
    ['06 12345678', 'XX'],
    ['12', 'NL'],
    ['call me', 'NL'],
    ['+', null],
    ['+0612345678', null],
    ['+3161234567890123456', null],
    ['', null],
    ['+31 6 12345678 ext. 5', null],
    [31612345678, 'NL'],
    [null, 'NL'],
    ['+31612345678\0', null],
  ])('%j in %s is refused by name', (text, country) => {
    const error = refusal(() => parseTelephone(text, 'profile.telephone', country))
    expect(error.field).toBe('profile.telephone')
  })

  it('does not change when it is normalised again', () => {
    const text = string({ unit: constantFrom(...'+0123456789 -()./') })
    const isStable = property(text, constantFrom('NL', 'US', null), (given, country) => {
      const { value } = attempt(() => parseTelephone(given, 'telephone', country))
      return (
        value === undefined || (/^\+[1-9]\d{4,14}$/.test(value) && parseTelephone(value, 'telephone', null) === value)
      )
    })
    expect(() => assert(isStable)).not.toThrow()
  })
})

describe('an email address', () => {
  it.each([
    [' Jane.Doe@Example.COM ', 'jane.doe@example.com'],
    ['jörg+tag@exämple.de', 'jörg+tag@exämple.de'],
    ["o'hara@localhost", "o'hara@localhost"],
  ])('%j is %s', (text, expected) => {
    expect(parseEmailAddress(text, 'email')).toBe(expected)
  })

  it.each([
    'jane',
    '@example.com',
    'jane@',
    'a b@example.com',
    'a@b@c.nl',
    'a@example..com',
    'a@-example.com',
    'a@example.com\nBcc: b@c.nl',
    '<a@b.nl>',
    `${'a'.repeat(65)}@b.nl`,
    `a@${'b'.repeat(260)}.nl`,
    5,
    ['a@b.nl'],
  ])('%j is refused by name', (text) => {
    expect(refusal(() => parseEmailAddress(text, 'profile.email')).field).toBe('profile.email')
  })
})

describe('a contact profile', () => {
  const parse = (value: unknown) => parseProfile(value, 'profile', 'NL')

  it('keeps the known fields, its identifiers normalised', () => {
    const address = {
      streetAddress: 'Dam',
      streetNumber: '1',
      postalCode: '1012',
      addressLocality: 'Amsterdam',
      city: 'A',
    }
    expect(
      parse({ name: 'Jane', email: 'J@X.nl', telephone: '0612345678', gender: 'f', worksFor: 'Acme', address }),
    ).toEqual({
      name: 'Jane',
      email: 'j@x.nl',
      telephone: '+31612345678',
      gender: 'f',
      worksFor: 'Acme',
      address,
    })
  })

  it.each([
    [{ givenName: 'Jan', additionalName: 'van', familyName: 'Dam' }, 'Jan van Dam'],
    [{ familyName: 'Dam', name: '' }, 'Dam'],
    [{ familyName: 'Dam', name: 'Mr D' }, 'Mr D'],
  ])('names %j %s', (profile, name) => {
    expect(parse(profile).name).toBe(name)
  })

  it('keeps unknown keys (open points)', () => {
    const profile = { name: 'J', locale: 'nl', address: { city: 'Delft', 'Zip Code': '' } }
    expect(parse(profile)).toEqual(profile)
    expect(parse(parse(profile))).toEqual(profile)
  })

  it('treats empty texts as absent, since forms send them', () => {
    expect(parse({ name: ' ', email: '', telephone: ' ', gender: null, address: { city: '' } })).toEqual({})
  })

  it.each([
    [{ nickname: 'x'.repeat(9_000) }, 'profile'],
    [{ constructor: 'J' }, 'profile.constructor'],
    [JSON.parse('{"__proto__": {"name": "J"}}'), 'profile.__proto__'],
    [{ name: 5 }, 'profile.name'],
    [{ worksFor: { name: 'Acme' } }, 'profile.worksFor'],
    [{ gender: 'x'.repeat(251) }, 'profile.gender'],
    [{ address: 'Dam 1' }, 'profile.address'],
    [{ address: { city: 5 } }, 'profile.address.city'],
    [{ email: 'nobody' }, 'profile.email'],
    [{ familyName: 'a\0b' }, 'profile.familyName'],
    [[], 'profile'],
    ['Jane', 'profile'],
  ])('refuses %j, naming %s', (profile, field) => {
    expect(refusal(() => parse(profile)).field).toBe(field)
  })

  it('either parses to a fixed point or is refused, for any input', () => {
    const isStable = property(anything(), (input) => {
      const { value } = attempt(() => parse(input))
      return value === undefined || isDeepStrictEqual(parse(value), value)
    })
    expect(() => assert(isStable)).not.toThrow()
  })
})
