import 'reflect-metadata'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { FormField } from '../../src/modules/forms/form-field.js'
import { parseFormFields } from '../../src/modules/forms/parse-form-fields.js'
import {
  checkField,
  checkValues,
  isComplete,
  missingFields,
  type FormShape,
} from '../../src/modules/forms/validate-form-values.js'
import { attempt, refusal } from '../support/refusal.js'

let made = 0
const fieldsOf = (fields: unknown, stored: FormField[] = []): FormField[] =>
  parseFormFields(fields, 'fields', { stored, newId: () => `new-${++made}` })
const formOf = (...fields: object[]): FormShape => ({ name: 'Order', fields: fieldsOf(fields) })
const one = (field: object): FormShape => formOf({ key: 'x', ...field })

describe('a value of a form field', () => {
  const taken: [type: object, given: unknown, kept: unknown][] = [
    [{ type: 'text' }, 'any thing', 'any thing'],
    [{ type: 'textarea' }, 'a\nb', 'a\nb'],
    [{ type: 'email' }, ' Jane@Example.COM ', 'jane@example.com'],
    [{ type: 'telephone' }, '+31 (0)20 123 4567', '+31201234567'],
    [{ type: 'url' }, 'https://example.com/a', 'https://example.com/a'],
    [{ type: 'number' }, 4.5, 4.5],
    [{ type: 'number' }, '-42', -42],
    [{ type: 'number' }, ' 0.5 ', 0.5],
    [{ type: 'date' }, '2028-02-29', '2028-02-29'],
    [{ type: 'boolean' }, false, false],
    [{ type: 'boolean' }, 'TRUE', true],
    [{ type: 'select', options: ['a', 'b, c'] }, ' a', 'a'],
    [{ type: 'multiselect', options: ['a', 'b', 'c'] }, ['c', 'a', 'c'], ['c', 'a']],
    [{ type: 'multiselect', options: ['a', 'b', 'c'] }, 'a, c', ['a', 'c']],
    [{ type: 'multiselect', options: ['a', 'b, c'] }, 'b, c', ['b, c']],
    [{ pattern: '[0-9]{4} ?[A-Z]{2}' }, '1234 AB', '1234 AB'],
    [{ type: 'text', min: 2, max: 3 }, 'abc', 'abc'],
    [{ type: 'number', min: -1, max: 1 }, -1, -1],
  ]
  it.each(taken)('%j accepts %j as %j', (field, given, kept) => {
    expect(checkField(one(field), 'x', given)).toEqual(kept)
  })

  const refused: [type: object, given: unknown][] = [
    [{ type: 'text' }, 5],
    [{ type: 'text' }, 'a\0'],
    [{ type: 'text' }, 'x'.repeat(2_001)],
    [{ type: 'email' }, 'jane'],
    [{ type: 'telephone' }, '020 1234567'],
    [{ type: 'url' }, 'javascript:alert(1)'],
    [{ type: 'number' }, '4,5'],
    [{ type: 'number' }, '1e3'],
    [{ type: 'number' }, '0x10'],
    [{ type: 'number' }, true],
    [{ type: 'date' }, '2027-02-29'],
    [{ type: 'date' }, '2027-1-1'],
    [{ type: 'date' }, 20270101],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'boolean' }, 1],
    [{ type: 'select', options: ['a'] }, 'A'],
    [{ type: 'multiselect', options: ['a'] }, ['a', 'b']],
    [{ type: 'multiselect', options: ['a', 'b'], max: 1 }, ['a', 'b']],
    [{ type: 'multiselect', options: ['a', 'b'], min: 2 }, ['a', 'a']],
    [{ pattern: '[0-9]+' }, '12a'],
    [{ pattern: 'a|b' }, 'ab'],
    [{ type: 'text', min: 2 }, 'a'],
    [{ type: 'text', max: 2 }, 'abc'],
    [{ type: 'number', min: 1 }, 0],
    [{ type: 'number', max: 1 }, 2],
  ]
  it.each(refused)('%j refuses %j, naming it', (field, given) => {
    expect(refusal(() => checkField(one(field), 'x', given)).field).toMatch(/^x/)
  })

  it.each([null, undefined, '', '  ', []])('%j clears a field of any type', (nothing) => {
    for (const type of ['text', 'number', 'date', 'boolean', 'email']) {
      expect(checkField(one({ type, min: null, required: true }), 'x', nothing)).toBeNull()
    }
  })

  it('is a national telephone number of the organization’s country', () => {
    expect(checkField(one({ type: 'telephone' }), 'x', '020 1234567', { country: 'NL' })).toBe('+31201234567')
  })

  it('requires a field with that key, ignoring inherited properties', () => {
    for (const key of ['y', 'constructor', '__proto__', '']) {
      expect(refusal(() => checkField(one({}), key, 'a')).message).toContain('"Order" has no field')
    }
  })

  it('is matched by an engine that does not backtrack', () => {
    // One that does would take longer than the sun shines.
    expect(attempt(() => checkField(one({ pattern: '(a+)+' }), 'x', `${'a'.repeat(1_900)}!`)).refused).toBeDefined()
  })

  it('fails only by a refusal, and accepts its own output', () => {
    const form = formOf(
      { key: 'text' },
      { key: 'email', type: 'email' },
      { key: 'telephone', type: 'telephone' },
      { key: 'number', type: 'number' },
      { key: 'date', type: 'date' },
      { key: 'boolean', type: 'boolean' },
      { key: 'select', type: 'select', options: ['a', 'b'] },
      { key: 'multi', type: 'multiselect', options: ['a', 'b'] },
      { key: 'url', type: 'url' },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...form.fields),
        fc.oneof(fc.anything(), fc.string(), fc.double()),
        ({ key }, value) => {
          const { value: kept } = attempt(() => checkField(form, key, value))
          if (kept !== undefined && kept !== null) expect(checkField(form, key, kept)).toEqual(kept)
        },
      ),
    )
  })
})

describe('the values of a form', () => {
  const form = formOf(
    { key: 'email', type: 'email', required: true },
    { key: 'agree', type: 'boolean', required: true },
    { key: 'note', type: 'textarea' },
  )

  it('are checked together, without those that clear', () => {
    expect(checkValues(form, { email: 'A@b.nl', note: '' })).toEqual({ email: 'a@b.nl' })
    expect(refusal(() => checkValues(form, { email: 'x' }, { at: 'meta.values' })).field).toBe('meta.values.email')
    expect(refusal(() => checkValues(form, [])).field).toBe('values')
  })

  it('are complete with every required field, even if a value is false', () => {
    expect(missingFields(form, { note: 'a' })).toEqual(['email', 'agree'])
    expect(isComplete(form, { email: 'a@b.nl' })).toBe(false)
    expect(isComplete(form, { email: 'a@b.nl', agree: false })).toBe(true)
  })

  it('are incomplete without any value, even if none is required', () => {
    expect(isComplete(formOf({ key: 'note' }), {})).toBe(false)
    expect(isComplete(formOf({ key: 'note' }), { other: 'a' })).toBe(false)
    expect(isComplete(formOf({ key: 'note' }), { note: 'a' })).toBe(true)
    expect(isComplete(formOf(), {})).toBe(false)
  })
})

describe('the fields of a form', () => {
  it('have defaults, and each an id', () => {
    expect(fieldsOf([{ key: 'postcode' }])).toEqual([
      {
        id: expect.stringMatching(/^new-/),
        key: 'postcode',
        label: 'postcode',
        type: 'text',
        required: false,
        options: [],
        placeholder: null,
        default: null,
        pattern: null,
        min: null,
        max: null,
        profileField: null,
      },
    ])
  })

  it('keep their ids by key when they are replaced, unless another is given', () => {
    const stored = fieldsOf([{ key: 'a' }, { key: 'b', id: 'mine' }])
    const [a, b, c] = fieldsOf([{ key: 'a', label: 'A' }, { key: 'b', id: 'other' }, { key: 'c' }], stored)
    expect([a!.id, b!.id]).toEqual([stored[0]!.id, 'other'])
    expect(c!.id).not.toBe(stored[0]!.id)
  })

  it('accept a valid default, stored in normalised form', () => {
    expect(fieldsOf([{ key: 'a', type: 'number', default: '5' }])[0]!.default).toBe(5)
  })

  it.each([
    [{ key: '' }, 'key'],
    [{ key: 'a b' }, 'key'],
    [{ key: '__proto__' }, 'key'],
    [{ key: 'x'.repeat(101) }, 'key'],
    [{}, 'key'],
    [{ key: 'a', id: 'a b' }, 'id'],
    [{ key: 'a', type: 'color' }, 'type'],
    [{ key: 'a', label: '' }, 'label'],
    [{ key: 'a', required: 'yes' }, 'required'],
    [{ key: 'a', type: 'select' }, 'options'],
    [{ key: 'a', options: ['x'] }, 'options'],
    [{ key: 'a', type: 'select', options: ['x', ' x'] }, 'options[1]'],
    [{ key: 'a', type: 'select', options: [' '] }, 'options[0]'],
    [{ key: 'a', pattern: '(' }, 'pattern'],
    [{ key: 'a', pattern: '(?=a)' }, 'pattern'],
    [{ key: 'a', pattern: 'a)|(b' }, 'pattern'],
    [{ key: 'a', type: 'number', pattern: 'a' }, 'pattern'],
    [{ key: 'a', min: 3, max: 2 }, 'max'],
    [{ key: 'a', min: 0.5 }, 'min'],
    [{ key: 'a', type: 'date', min: 1 }, 'min'],
    [{ key: 'a', type: 'email', default: 'x' }, 'default'],
    [{ key: 'a', type: 'boolean', profileField: 'email' }, 'profileField'],
    [{ key: 'a', profileField: 'password' }, 'profileField'],
    [{ key: 'a', colour: 'red' }, 'colour'],
  ])('refuse %j, naming %s', (field, name) => {
    expect(refusal(() => fieldsOf([{ key: 'first' }, field])).field).toBe(`fields[1].${name}`)
  })

  it('refuse a key or an id twice', () => {
    expect(refusal(() => fieldsOf([{ key: 'a' }, { key: 'a' }])).field).toBe('fields[1].key')
    expect(
      refusal(() =>
        fieldsOf([
          { key: 'a', id: 'i' },
          { key: 'b', id: 'i' },
        ]),
      ).field,
    ).toBe('fields[1].id')
  })

  it.each(['email', 'telephone', 'name', 'address.postalCode', 'worksFor'])(
    'may fill the profile’s %s (2.12)',
    (name) => {
      expect(fieldsOf([{ key: 'a', profileField: name }])[0]!.profileField).toBe(name)
    },
  )
})
