import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { accept } from '../../src/modules/conversations/commands/accept.js'
import { action } from '../../src/modules/conversations/commands/action.js'
import { assign } from '../../src/modules/conversations/commands/assign.js'
import type { Command, ExclusiveCommand } from '../../src/modules/conversations/commands/command.js'
import { commandMessage, commandOf, readCommand } from '../../src/modules/conversations/commands/command-of-message.js'
import { importOrigin } from '../../src/modules/conversations/commands/import.js'
import { leave } from '../../src/modules/conversations/commands/leave.js'
import { notify } from '../../src/modules/conversations/commands/notify.js'
import { set } from '../../src/modules/conversations/commands/set.js'
import type { JsonObject } from '../../src/platform/json.js'
import { attempt, refusal } from '../support/refusal.js'

/** A command with any arguments. */
type AnyCommand = Command | ExclusiveCommand

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

function parseCommand(text: string, meta: JsonObject = {}): object {
  const { command, given } = readCommand(text, meta)
  return { name: command.name, ...given }
}

describe('commands as messages have them (4.8)', () => {
  it.each(['notify', 'enqueue', 'follow', 'unfollow', 'join', 'accept', 'leave', 'block', 'send'])(
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
    ['/set @name The name', { name: 'set', attribute: 'name', value: 'The name' }],
    ['/set  @name   The  name ', { name: 'set', attribute: 'name', value: 'The  name' }],
    ['/set @category 3', { name: 'set', attribute: 'category', value: 3 }],
    ['/set @category Spare parts', { name: 'set', attribute: 'category', value: 'Spare parts' }],
    ['/set @touchpoint messenger', { name: 'set', attribute: 'touchpoint', value: 'messenger' }],
    ['/set @language nl', { name: 'set', attribute: 'language', value: 'nl' }],
    ['/set key a value', { name: 'set', attribute: 'metaKey', key: 'key', value: 'a value' }],
    ['/set a.b 5', { name: 'set', attribute: 'metaKey', key: 'a.b', value: '5' }],
    ['/set note two\nlines', { name: 'set', attribute: 'metaKey', key: 'note', value: 'two\nlines' }],
    [`/import ${id}`, { name: 'import', origin: id }],
    ['>weather Utrecht', { name: 'bot', text: 'weather Utrecht' }],
    ['>', { name: 'bot', text: '' }],
  ])('reads %j', (text, command) => {
    expect(parseCommand(text)).toStrictEqual(command)
  })

  it.each([
    ['/accept', { ifQueued: true, trigger: null, mine: 1 }, { name: 'accept', ifQueued: true }],
    ['/assign', { users: [id.toUpperCase()] }, { name: 'assign', users: [id] }],
    ['/notify', { channels: [id] }, { name: 'notify', channels: [id] }],
    ['/send', { form: 'Order' }, { name: 'send', form: 'order' }],
    ['/set', { a: { b: 1 } }, { name: 'set', attribute: 'meta', meta: { a: { b: 1 } } }],
    ['/action like', { message: id }, { name: 'action', action: 'like', message: id }],
    [
      '/action comment Well\nsaid',
      { message: id },
      { name: 'action', action: 'comment', text: 'Well\nsaid', message: id },
    ],
  ])('reads %j with the metadata %j', (text, meta, command) => {
    expect(parseCommand(text, meta)).toStrictEqual(command)
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
    const error = refusal(() => parseCommand(text, { message: id }))
    expect(error.field).toBe('text')
    expect(error.message).toContain(problem)
  })

  it('either reads or refuses any text', () => {
    const word = fc.constantFrom('set', '@name', '@category', 'action', 'comment', 'import', id)
    const words = fc.array(fc.oneof(fc.string(), word))
    fc.assert(
      fc.property(fc.constantFrom('/', '>', ''), words, (start, rest) => {
        const { value, refused } = attempt(() => parseCommand(start + rest.join(' '), { message: id }))
        expect(value !== undefined || refused.field === 'text').toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('commands of typed arguments', () => {
  it.each<[command: AnyCommand, args: object, text: string, meta: object]>([
    [leave, {}, '/leave', {}],
    [accept, { ifQueued: true, trigger: null }, '/accept', { ifQueued: true }],
    [assign, { users: [id] }, '/assign', { users: [id] }],
    [notify, { channels: null, organizations: [id] }, '/notify', { organizations: [id] }],
    [importOrigin, { origin: id }, `/import ${id}`, {}],
    [action, { action: 'comment', text: 'Well said', message: id }, '/action comment Well said', { message: id }],
    [set, { attribute: 'name', value: ' The  name ' }, '/set @name The  name', {}],
    [set, { attribute: 'category', value: '3' }, '/set @category 3', {}],
    [set, { attribute: 'language', value: '' }, '/set @language', {}],
    [set, { attribute: 'meta', meta: { a: 1 } }, '/set', { a: 1 }],
  ])('%o of %j is the message %j with %j, which reads the same', (command, args, text, meta) => {
    const message = commandMessage(command, args)
    expect(message).toMatchObject({ type: 'command', text, meta })
    const { given } = commandOf(message)
    expect(readCommand(text, message.meta).given).toStrictEqual(given)
    expect(commandOf(message).given).toBe(given)
  })

  it.each<[command: AnyCommand, args: object, field: string]>([
    [accept, { trigger: 'magic' }, 'in.trigger'],
    [assign, { users: [] }, 'in.users'],
    [notify, { channels: ['x'] }, 'in.channels[0]'],
    [importOrigin, { origin: 5 }, 'in.origin'],
    [action, { action: 'like' }, 'in.message'],
    [set, { attribute: 'name', value: '' }, 'in.value'],
    [set, { attribute: 'name', value: 'a\u0000' }, 'in.value'],
    [set, { attribute: 'meta', meta: { _a: 1 } }, 'in.meta._a'],
  ])('%o of %j is refused by the name of its argument', (command, args, field) => {
    expect(refusal(() => commandMessage(command, args, { at: (name) => `in.${name}` })).field).toBe(field)
  })
})
