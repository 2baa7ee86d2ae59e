import { describe, expect, it } from '@jest/globals'
import {
  buildSchema,
  getNamedType,
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

/** The published schema of live events has these as ids: docs/decisions/graphql-and-live.md, 2026-11-29. */
const FIXED_IDS = [
  'InboxEntry.conversation',
  'NotifiedConversation.conversation',
  'QueueEntry.channel',
  'QueueEntry.conversation',
]
/** Lists of ids that the specification has under the name of the records (2.7, 2.8), and one of the same kind. */
const LISTS_OF_IDS = [
  'Conversation.caseChannels',
  'Conversation.channels',
  'Conversation.channelsOffline',
  'RuleEventParams.channels',
  'RuleEventParams.users',
  'Workflow.organizations',
]

/** Types that the words of a field's name could be of: `Case` and `Channel` for `caseChannels`. */
const recordsNamedIn = (name: string): string[] =>
  name.split(/(?=[A-Z])/).map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`.replace(/s$/, ''))

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

  // A client asks for `channel { name }` and for `channelId`, wherever it is.
  it('gives the name of a record to the record, and `…Id` to its id, but in these fields', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const found = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type) || type.name.startsWith('__') || roots.includes(type)) return []
      const fields = Object.values(type.getFields())
      const records = fields.map((field) => getNamedType(field.type)).filter(isObjectType)
      const isOfRecord = (word: string): boolean => records.some(({ name }) => name.endsWith(word))
      return fields
        .filter((field) => getNamedType(field.type).name === 'ID' && field.name !== 'id' && !/Ids?$/.test(field.name))
        .filter(({ name }) => recordsNamedIn(name).some(isOfRecord))
        .map(({ name }) => `${type.name}.${name}`)
    })
    expect(found.toSorted()).toEqual([...FIXED_IDS, ...LISTS_OF_IDS].toSorted())
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
