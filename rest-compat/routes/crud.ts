import type { RecordSpec } from '../record.js'
import { body, idempotencyKey, listSources, nothing, page, path, record, type Route } from '../route.js'

export interface ResourceNames {
  /** `/v2/channels`. */
  path: string
  tag: string
  record: RecordSpec
  /** The GraphQL fields' names, if they are not derived from the type: `channel`, `channels`, `createChannel` … */
  one?: string
  many?: string
  /** Sections of the interface specification. */
  cites: string
}

interface Documents {
  list: string
  fetch: string
  create: string
  update: string
  delete: string
}

/** Builds the five operations that every resource of the schema has under the same names. */
function documentsOf(names: ResourceNames): Documents {
  const { type } = names.record
  const { one = type[0]!.toLowerCase() + type.slice(1), many = `${one}s` } = names
  return {
    list: `query List${type}(
      $first: Int, $offset: Int, $after: String, $filter: ${type}Filter, $orderBy: [${type}Order!]
    ) {
      result: ${many}(first: $first, offset: $offset, after: $after, filter: $filter, orderBy: $orderBy) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    fetch: `query Fetch${type}($id: ID!) { result: ${one}(id: $id) { ...Record } }`,
    create: `mutation Create${type}($input: Create${type}Input!, $idempotencyKey: String) {
      result: create${type}(input: $input, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    update: `mutation Update${type}($id: ID!, $patch: Update${type}Input!) {
      result: update${type}(id: $id, patch: $patch) { ...Record }
    }`,
    delete: `mutation Delete${type}($id: ID!) { result: delete${type}(id: $id) }`,
  }
}

/** Builds the rows of a resource's list, fetch, create, update and delete (open points, REST conventions). */
export function crudRoutes(names: ResourceNames): Record<keyof Documents, Route> {
  const documents = documentsOf(names)
  const { tag, record: spec, cites } = names
  const { type } = spec
  const { many: plural = `${type}s` } = names
  const listed = plural[0]!.toUpperCase() + plural.slice(1)
  const what = (spec.name ?? spec.type).replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const a = /^[aeio]/.test(what) ? 'an' : 'a'
  const one = `${names.path}/:id`
  return {
    list: {
      method: 'GET',
      path: names.path,
      tag,
      operationId: `list${listed}`,
      summary: `List ${what}s.`,
      cites,
      operation: documents.list,
      variables: listSources(),
      result: page(spec),
      status: 200,
    },
    fetch: {
      method: 'GET',
      path: one,
      tag,
      operationId: `get${type}`,
      summary: `Fetch ${a} ${what}.`,
      cites,
      operation: documents.fetch,
      variables: { id: path('id') },
      result: record(spec),
      status: 200,
    },
    create: {
      method: 'POST',
      path: names.path,
      tag,
      operationId: `create${type}`,
      summary: `Create ${a} ${what}.`,
      cites,
      operation: documents.create,
      variables: { input: body, idempotencyKey },
      result: record(spec),
      status: 201,
    },
    update: {
      method: 'PATCH',
      path: one,
      tag,
      operationId: `update${type}`,
      summary: `Change the given fields of ${a} ${what}.`,
      cites,
      operation: documents.update,
      variables: { id: path('id'), patch: body },
      result: record(spec),
      status: 200,
    },
    delete: {
      method: 'DELETE',
      path: one,
      tag,
      operationId: `delete${type}`,
      summary: `Delete ${a} ${what}.`,
      cites,
      operation: documents.delete,
      variables: { id: path('id') },
      result: nothing,
      status: 204,
    },
  }
}
