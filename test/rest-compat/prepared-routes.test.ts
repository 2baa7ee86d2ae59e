import { describe, expect, it } from '@jest/globals'
import { Documents } from '../../src/api/graphql/documents.js'
import type { OperationRunner } from '../../src/api/graphql/operations.js'
import { prepareTools } from '../../src/api/mcp/prepared-tools.js'
import { TOOLS } from '../../src/api/mcp/tools.js'
import { schemaShape } from '../../src/app/schema.js'
import { PreparedRoutes } from '../../rest-compat/prepared-routes.js'
import { routes } from '../../rest-compat/routes/index.js'
import { OPERATIONS } from '../../rest-compat/stream-message.js'

const schema = await schemaShape()
const documents = new Documents(schema)

/** A server prepares them when they are first asked for: what does not match the schema must not get that far. */
describe('documents of the product', () => {
  // [9 rule 1]
  it.each(routes.map((route) => [`${route.method} ${route.path} (${route.operationId})`, route] as const))(
    '%s matches the schema',
    (_name, route) => {
      const { prepared } = new PreparedRoutes(schema, documents).of(route)
      // Only a query has HEAD, which is decided before the document is read.
      expect(prepared.kind).toBe(/^\s*mutation\b/.test(route.operation) ? 'mutation' : 'query')
    },
  )

  it.each(Object.entries(OPERATIONS))('the one to %s a streamed message matches the schema', (_name, document) => {
    expect(documents.prepare(document).kind).toBe('mutation')
  })

  it('all tools of MCP match the schema', () => {
    const operations = documents as unknown as OperationRunner
    expect([...prepareTools(schema, operations, TOOLS).keys()]).toEqual(TOOLS.map(({ name }) => name))
  })
})

describe('a row that does not match the schema', () => {
  const row = routes.find(({ operationId }) => operationId === 'getConversationMessage')!

  it('is named, with its document, if that is invalid', () => {
    const wrong = { ...row, operation: row.operation.replace('{', '{ nobodyKnowsThis') }
    const prepare = () => new PreparedRoutes(schema, documents).of(wrong)
    expect(prepare).toThrow(/^GET \/v2\/conversations\/.*: Cannot query field "nobodyKnowsThis"/)
  })

  it('is named if its variables have no source', () => {
    const prepare = () => new PreparedRoutes(schema, documents).of({ ...row, variables: {} })
    expect(prepare).toThrow(/^GET \/v2\/conversations\/.*: the variable \w+ has no source/)
  })
})
