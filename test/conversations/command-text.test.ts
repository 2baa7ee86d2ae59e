import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { parseCommand } from '../../src/conversations/commands/parse-command.js'
import { attempt, refusal } from '../support/refusal.js'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('parseCommand (4.8)', () => {
  it.each(['notify', 'enqueue', 'assign', 'follow', 'unfollow', 'join', 'accept', 'leave', 'block', 'send'])(
    'reads /%s',
    (name) => {
      expect(parseCommand(`/${name}`)).toEqual({ name })
      expect(parseCommand(`/${name} \n`)).toEqual({ name })
    },
  )

  it('reads /close as /leave', () => {
    expect(parseCommand('/close')).toEqual({ name: 'leave' })
  })

  it.each([
    ['/set', { name: 'set', attribute: 'meta' }],
    ['/set @name The name', { name: 'set', attribute: 'name', value: 'The name' }],
    ['/set  @name   The  name ', { name: 'set', attribute: 'name', value: 'The  name' }],
    ['/set @category 3', { name: 'set', attribute: 'category', value: 3 }],
    ['/set @category Spare parts', { name: 'set', attribute: 'category', value: 'Spare parts' }],
    ['/set @touchpoint messenger', { name: 'set', attribute: 'touchpoint', value: 'messenger' }],
    ['/set @language nl', { name: 'set', attribute: 'language', value: 'nl' }],
    ['/set key a value', { name: 'set', attribute: 'metaKey', key: 'key', value: 'a value' }],
    ['/set a.b 5', { name: 'set', attribute: 'metaKey', key: 'a.b', value: '5' }],
    ['/set note two\nlines', { name: 'set', attribute: 'metaKey', key: 'note', value: 'two\nlines' }],
    ['/action like', { name: 'action', action: 'like' }],
    ['/action comment Well\nsaid', { name: 'action', action: 'comment', text: 'Well\nsaid' }],
    [`/import ${id}`, { name: 'import', conversation: id }],
    ['>weather Utrecht', { name: 'bot', text: 'weather Utrecht' }],
    ['>', { name: 'bot', text: '' }],
  ])('reads %j', (text, command) => {
    expect(parseCommand(text)).toStrictEqual(command)
  })

  it.each(['/', '/ accept', '/ACCEPT', '/acceptance', '/__proto__', '/constructor', '/unknown x'])(
    'refuses %j, listing the known commands',
    (text) => {
      expect(refusal(() => parseCommand(text)).message).toContain('known are /notify, /enqueue, /assign')
    },
  )

  it.each([
    ['accept', 'must begin with / or >'],
    ['/assign bob', 'after /assign'],
    ['/set @name', 'must contain a value'],
    ['/set _agent', 'system'],
    ['/set @colour', 'unknown attribute'],
    ['/set @name two\nlines', 'one line'],
    [`/set @name ${'x'.repeat(201)}`, 'at most 200'],
    ['/set @touchpoint fax', 'web, email, sms, messenger'],
    ['/set @language NL', 'two lower-case letters'],
    ['/set @language nld', 'two lower-case letters'],
    ['/set @colour red', 'known are @name, @category, @touchpoint, @language'],
    ['/set _title x', "are the system's"],
    ['/set __proto__ x', "the system's"],
    ['/set constructor x', 'not allowed'],
    [`/set ${'k'.repeat(101)} x`, 'at most 100'],
    ['/action', 'known are like, comment'],
    ['/action dance', 'known are like, comment'],
    ['/action like twice', 'after /action like'],
    ['/action comment', 'must contain the text'],
    ['/import', 'by its ID'],
    ['/import 5', 'by its ID'],
    [`/import ${id} ${id}`, 'by its ID'],
  ])('refuses %.40j: %s', (text, problem) => {
    const error = refusal(() => parseCommand(text))
    expect(error.field).toBe('text')
    expect(error.message).toContain(problem)
  })

  it('either reads or refuses any text', () => {
    const word = fc.constantFrom('set', '@name', '@category', 'action', 'comment', 'import', id)
    const words = fc.array(fc.oneof(fc.string(), word))
    fc.assert(
      fc.property(fc.constantFrom('/', '>', ''), words, (start, rest) => {
        const { value, refused } = attempt(() => parseCommand(start + rest.join(' ')))
        expect(value !== undefined || refused.field === 'text').toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
