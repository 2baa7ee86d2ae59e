import { expect } from '@jest/globals'
import type { MadeUser } from './factories.js'
import type { GraphqlAnswer, TestServer } from './test-server.js'

export interface RecordOperations<Data> {
  create(as: MadeUser, input: object, key?: string): Promise<GraphqlAnswer<Record<string, Data>>>
  /** Creates one. Fails when it is refused. */
  made(as: MadeUser, input: object): Promise<Data>
  update(as: MadeUser, id: string, patch: object): Promise<GraphqlAnswer<Record<string, Data>>>
  remove(as: MadeUser, id: string): Promise<GraphqlAnswer<Record<string, string>>>
  fetched(as: MadeUser, id: string): Promise<GraphqlAnswer<Record<string, Data>>>
}

/**
 * The operations of a type of records, `Contact` for instance, whose names follow from its own.
 * @param app a function, since tests name the fields before their server is started
 */
export function recordOperations<Data>(app: () => TestServer, type: string, fields: string): RecordOperations<Data> {
  const operations: RecordOperations<Data> = {
    create: (as, input, key) =>
      app().gql(
        as,
        `mutation ($input: Create${type}Input!, $key: String) {
          create${type}(input: $input, idempotencyKey: $key) { ${fields} } }`,
        { input, key },
      ),
    async made(as, input) {
      const { data, errors } = await operations.create(as, input)
      expect(errors).toBeUndefined()
      return data[`create${type}`]!
    },
    update: (as, id, patch) =>
      app().gql(
        as,
        `mutation ($id: ID!, $patch: Update${type}Input!) { update${type}(id: $id, patch: $patch) { ${fields} } }`,
        { id, patch },
      ),
    remove: (as, id) => app().gql(as, `mutation ($id: ID!) { delete${type}(id: $id) }`, { id }),
    fetched: (as, id) =>
      app().gql(as, `query ($id: ID!) { ${type[0]!.toLowerCase()}${type.slice(1)}(id: $id) { ${fields} } }`, { id }),
  }
  return operations
}
