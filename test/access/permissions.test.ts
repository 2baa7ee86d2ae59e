import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql'
import { readFileSync } from 'node:fs'
import { getMetadataStorage } from 'type-graphql'
import { PERMISSIONS, PUBLIC_FIELDS, type Permission } from '../../src/platform/access/permissions.js'
import { SCOPES, scopesOfRole, type Role, type Scope } from '../../src/platform/access/scopes.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The table of section 5, row by row: Guest, Agent, Bot, Admin. */
const SECTION_5: readonly [operations: Permission[], row: string][] = [
  [['organization.list', 'organizationGroup.list', 'user.list', 'message.list', 'form.list'], '--++'],
  [['conversation.list', 'contact.list', 'article.list'], '-+++'],
  [['service.list'], '---+'],
  [['organization.fetch', 'organizationGroup.fetch', 'message.fetch', 'contact.fetch'], '--++'],
  [['user.fetchSelf'], '++++'],
  [['user.fetch'], '--++'],
  [['conversation.fetch'], '++++'],
  [['article.fetch'], '-+++'],
  [['form.fetch', 'service.fetch'], '---+'],
  [['organization.create', 'organizationGroup.create', 'user.create', 'service.create'], '---+'],
  [['conversation.create'], '-+++'],
  [['message.create'], '++++'],
  [['contact.create', 'form.create'], '--++'],
  [['article.create'], '-+++'],
  [['organization.update', 'organizationGroup.update', 'user.update', 'conversation.update', 'service.update'], '---+'],
  [['user.updateSelf'], '++++'],
  [['message.update', 'contact.update', 'form.update'], '--++'],
  [['article.update'], '-+++'],
  [['article.delete'], '--++'],
  [['organization.delete', 'organizationGroup.delete', 'user.delete', 'service.delete', 'conversation.delete'], '---+'],
  [['message.delete', 'contact.delete', 'form.delete'], '---+'],
]

const ROLES: readonly Role[] = ['viewer', 'agent', 'bot', 'admin', 'owner']

describe('permissions (section 5)', () => {
  // [5 List organizations, List organization groups, List users, List messages, List forms, List conversations, List
  // contacts, List knowledge items, List services, Fetch organization, Fetch organization group, Fetch message, Fetch
  // contact, Fetch user self, Fetch user other, Fetch conversation, Fetch knowledge item, Fetch form, Fetch service,
  // Create organization, Create organization group, Create user, Create service, Create conversation, Create message,
  // Create contact, Create form, Create knowledge item, Update organization, Update organization groups, Update user
  // other, Update conversation, Update service, Update user self, Update message, Update contact, Update form, Update
  // knowledge item, Delete knowledge item, Delete other]
  it.each(SECTION_5)('%j: %s', (operations, row) => {
    for (const operation of operations) {
      const allowed = SCOPES.map((scope) =>
        SCOPES.indexOf(scope) >= SCOPES.indexOf(PERMISSIONS[operation] as Scope) ? '+' : '-',
      )
      expect(allowed.join('')).toBe(row)
    }
  })

  describe('permissions of every query, mutation and subscription', () => {
    let server: TestServer
    let users: Map<Role, MadeUser>

    beforeAll(async () => {
      server = await startTestServer()
      const organization = await server.makeContactCenter()
      users = new Map()
      for (const role of ROLES) users.set(role, await server.makeUser({ organization, role }))
    })
    afterAll(() => server.close())

    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))

    it('are declared, except for those that require no permission', () => {
      const { queries, mutations, subscriptions } = getMetadataStorage()
      const undeclared = [...queries, ...mutations, ...subscriptions]
        .filter(({ roles }) => !roles?.length)
        .map(({ schemaName }) => schemaName)
      expect(undeclared.toSorted()).toEqual([...PUBLIC_FIELDS].toSorted())
    })

    // [7 401] [5 rule 1, rule 1 exceptions]
    it('accept sign-in and refresh with a stale token in the header', async () => {
      const sign = 'mutation { createToken(email: "owner@example.com", password: "correct horse battery") { token } }'
      expect((await server.gql('stale', sign)).data.createToken.token).toEqual(expect.any(String))
      const challenge = await server.gql('stale', 'mutation { createPasskeyChallenge { expiresAt } }')
      expect(challenge.data.createPasskeyChallenge.expiresAt).toEqual(expect.any(String))
      expect((await server.gql('stale', '{ me { id } }')).status).toBe(401)
      expect((await server.gql('stale', `${sign.slice(0, -1)} revokeToken }`)).status).toBe(401)
    })

    // [5 rule 4, rule 3 cascade] [2.2 role scope] [1 callers are users]
    it('are enforced for every role: exactly those without the scope are refused', async () => {
      const { queries, mutations } = getMetadataStorage()
      const found: string[] = []
      const expected: string[] = []
      for (const [kind, { schemaName, roles }] of [
        ...queries.map((query) => ['query', query] as const),
        ...mutations.map((mutation) => ['mutation', mutation] as const),
      ]) {
        const operation = roles?.[0] as Permission | undefined
        if (!operation || schemaName === 'revokeToken') continue
        for (const role of ROLES) {
          const { query, variables } = operationOf(kind, schemaName)
          const answer = await server.gql(users.get(role)!, query, variables)
          const refusal = answer.errors?.find(
            ({ message }) => message === `${operation} needs the scope ${PERMISSIONS[operation]}`,
          )
          if (refusal) found.push(`${role} ${schemaName}`)
          const scopes: readonly string[] = scopesOfRole(role)
          if (!scopes.includes(PERMISSIONS[operation])) expected.push(`${role} ${schemaName}`)
          // A document that is refused before the permission would prove nothing.
          expect(answer.errors?.map(({ extensions }) => extensions.code) ?? []).not.toContain(
            'GRAPHQL_VALIDATION_FAILED',
          )
        }
        const anonymous = await server.gql(null, ...callOf(kind, schemaName))
        expect([schemaName, anonymous.errors?.[0]?.extensions.code]).toEqual([schemaName, 'UNAUTHENTICATED'])
      }
      expect(found).toEqual(expected)
      expect(found.length).toBeGreaterThan(50)
    })

    function callOf(kind: 'query' | 'mutation', name: string): [string, Record<string, unknown>] {
      const { query, variables } = operationOf(kind, name)
      return [query, variables]
    }

    /** The field with its required arguments only, as harmless as they can be: ids of nothing. */
    function operationOf(
      kind: 'query' | 'mutation',
      name: string,
    ): { query: string; variables: Record<string, unknown> } {
      const root = kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!
      const field = root.getFields()[name]!
      const required = field.args.filter(({ type }) => isNonNullType(type))
      const variables = Object.fromEntries(required.map((argument) => [argument.name, leastOf(argument.type)]))
      const declared = required.map((argument) => `$${argument.name}: ${argument.type.toString()}`).join(', ')
      const passed = required.map((argument) => `${argument.name}: $${argument.name}`).join(', ')
      const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'
      return {
        query: `${kind} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`}${selection} }`,
        variables,
      }
    }

    function leastOf(type: GraphQLInputType): unknown {
      const bare = getNullableType(type)
      if (isListType(bare)) return []
      if (isEnumType(bare)) return bare.getValues()[0]!.name
      if (isInputObjectType(bare)) {
        const required = Object.values(bare.getFields()).filter((field) => isNonNullType(field.type))
        return Object.fromEntries(required.map((field) => [field.name, leastOf(field.type)]))
      }
      switch (getNamedType(bare).name) {
        case 'ID':
          return '01900000-0000-7000-8000-000000000000'
        case 'DateTime':
          return '2026-01-01T00:00:00Z'
        case 'Int':
          return 1
        case 'Boolean':
          return false
        case 'JSON':
        case 'JSONObject':
          return {}
        default:
          return 'x'
      }
    }
  })
})
