import { describe, expect, it } from '@jest/globals'
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { schemaShape } from '../src/app/schema.js'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

/** A description begins with what the thing is. */
const NO_DESCRIPTION = /^(Of|What|Who|Whom|Whose|How|When|Where|Which|Why|Its)\b/

describe('the schema', () => {
  it('describes every type, field, argument and enum value by what it is', () => {
    const silent: string[] = []
    const vague: string[] = []
    const note = (what: { description?: string | null }, where: string) => {
      if (!what.description) silent.push(where)
      else if (NO_DESCRIPTION.test(what.description)) vague.push(`${where}: ${what.description}`)
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
      note(type, type.name)
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          note(field, `${type.name}.${field.name}`)
          for (const argument of field.args) note(argument, `${type.name}.${field.name}(${argument.name})`)
        }
      }
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) note(field, `${type.name}.${field.name}`)
      if (isEnumType(type)) for (const value of type.getValues()) note(value, `${type.name}.${value.name}`)
    }
    expect(silent).toEqual([])
    expect(vague).toEqual([])
  })

  it('describes fields and arguments by more than the words of their names', () => {
    const wordsOf = (text: string): string[] =>
      text
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z]+/g) ?? []
    const empty: string[] = []
    const note = (name: string, { description }: { description?: string | null }, where: string) => {
      const known = new Set(['a', 'an', 'the', 'of', 'in', 'is', 'its', 'this', 's', ...wordsOf(name)])
      if (wordsOf(description ?? '').every((word) => known.has(word))) empty.push(`${where}: ${description}`)
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue
      if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) {
          note(field.name, field, `${type.name}.${field.name}`)
          for (const argument of 'args' in field ? field.args : []) {
            note(argument.name, argument, `${type.name}.${field.name}(${argument.name})`)
          }
        }
      }
    }
    expect(empty).toEqual([])
  })

  it('leaves plain fields without a resolver, which the compiled executor reads directly', async () => {
    const { Channel, Conversation, Message, QueueEntry } = (await schemaShape()).getTypeMap()
    const resolved: string[] = []
    for (const type of [Channel, Conversation, Message, QueueEntry]) {
      if (!isObjectType(type)) throw new Error('no object type')
      for (const name of ['id', 'name', 'text', 'status', 'createdAt', 'conversation', 'organizationId']) {
        const field = type.getFields()[name]
        const isReference = type.name === 'Message' && name === 'conversation'
        if (field?.resolve && !isReference) resolved.push(`${type.name}.${name}`)
      }
    }
    expect(resolved).toEqual([])
  })

  it('has the names that clients rely on', () => {
    const names = (type: string): string[] => Object.keys((schema.getType(type) as { getFields(): object }).getFields())
    expect(names('Mutation')).toEqual(
      expect.arrayContaining([
        'createToken',
        'refreshToken',
        'revokeToken',
        'createConversation',
        'sendMessage',
        'acceptConversation',
        'leaveConversation',
        'joinConversation',
        'assignConversation',
        'followConversation',
        'unfollowConversation',
        'notifyConversation',
        'blockContact',
        'setConversation',
        'markRead',
        'setTyping',
      ]),
    )
    expect(names('Subscription').toSorted()).toEqual([
      ...[
        'agentStates',
        'contactChanges',
        'conversation',
        'inbox',
        'myConversations',
        'queue',
        'recordChanges',
        'wallboard',
      ],
    ])
  })
})
