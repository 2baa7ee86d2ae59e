import type { RecordSpec } from './record.js'

/** One endpoint as data: its input, its GraphQL operation, its output. All rules are the operation's. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From `/v2`, with `:name` parameters. */
  path: string
  /** The name of the operation in OpenAPI, and so of a method in generated clients. Rows of one endpoint share it. */
  operationId: string
  /** The endpoint's purpose, as one sentence. */
  summary: string
  /** Further facts for client developers. */
  notes?: string
  /** Sections of the interface specification. */
  cites: string
  /** The resource, for grouping. */
  tag: string
  /**
   * The GraphQL document: one operation, in which one field has the alias `result`. `...Record` is replaced by the
   * selection of the result's record; variables of that selection are declared when the document is compiled.
   */
  operation: string
  /** The source of each variable of the operation. */
  variables: Readonly<Record<string, Source>>
  result: Result
  status: 200 | 201 | 204
  /** Condition on the body: of several rows with one method and path, the first whose condition holds is used. */
  when?: BodyCondition
  /** Credentials are not required and ignored. */
  isPublic?: boolean
  /** `Location` of a created record; `:id` is replaced by its id. */
  location?: string
  /** Paths that are populated by default. */
  populated?: readonly string[]
  /** Query parameters are ignored (4.3). */
  ignoresQuery?: boolean
  /** Keys of the body, or of each of its elements, that only repeat a path parameter. */
  repeated?: Readonly<Record<string, string>>
  /** Unknown fields of the body are ignored and listed in `Ignored-Fields`, unless the client prefers strictness. */
  isLenient?: boolean
  /** Elements of the body's list may be strings that a client has spread into their letters. */
  joinsSpreadTexts?: boolean
  /** The body may be a text that is shown as it comes, see `stream-message.ts`. */
  isStreamable?: boolean
  /** Keys of the body that are accepted and ignored. */
  unused?: readonly string[]
}

/** Source of the value of an operation's variable. */
export type Source =
  | { from: 'path'; name: string }
  /** A query parameter, required if the variable's type is. A list is separated by commas. */
  | { from: 'query'; name: string; description: string; isList?: true }
  /** The `Idempotency-Key` header. */
  | { from: 'idempotencyKey' }
  /** The version in the `If-Match` header. An input with `ifVersion` takes it without being told. */
  | { from: 'ifMatch' }
  /** One key of the body, required if the variable's type is. */
  | { from: 'bodyKey'; name: string }
  /** The body without the keys that other variables use. */
  | { from: 'body' }
  | { from: 'limit' | 'offset' | 'after' }
  /** @property byDefault value of `sort` for a request without one */
  | { from: 'sort'; byDefault?: string }
  /** All other query parameters, and fixed conditions by path parameters: filter name to parameter name. */
  | { from: 'filter'; fixed?: Readonly<Record<string, string>> }

/** The part of the answer from which the response is made. */
export type Result =
  | { kind: 'record'; record: RecordSpec }
  /** A list without pages. */
  | { kind: 'records'; record: RecordSpec }
  /** A page: `result` is a connection. */
  | { kind: 'page'; record: RecordSpec }
  /** The element of a list or connection whose field equals a path parameter; not found if there is none. */
  | { kind: 'element'; record: RecordSpec; field: string; parameter: string }
  /** A text: a field of `result`. */
  | { kind: 'text'; field: string; type: 'text/csv' | 'application/x-ndjson' | 'application/yaml' }
  | { kind: 'nothing' }

/** Selects one of the rows of an endpoint by the body of the request. */
export type BodyCondition = { bodyIs: 'list' } | { bodyHas: string }

/** Takes a segment of the path, `:name`. */
export const path = (name: string): Source => ({ from: 'path', name })
/** Takes one member of the body. */
export const bodyKey = (name: string): Source => ({ from: 'bodyKey', name })
/** Takes the members of the body that no other variable takes. */
export const body: Source = { from: 'body' }
/** Takes the header `Idempotency-Key`. */
export const idempotencyKey: Source = { from: 'idempotencyKey' }
/** Takes the version in the header `If-Match`. */
export const ifMatch: Source = { from: 'ifMatch' }
/** Responds with one record; 404 when there is none. */
export const record = (spec: RecordSpec): Result => ({ kind: 'record', record: spec })
/** Responds with a list without pages. */
export const records = (spec: RecordSpec): Result => ({ kind: 'records', record: spec })
/** Responds with a page of a list, `Link` and `X-Total-Count`. */
export const page = (spec: RecordSpec): Result => ({ kind: 'page', record: spec })
/** Responds without a body. */
export const nothing: Result = { kind: 'nothing' }

/** Tells whether a row reads a list without pages, of which a request may ask for a part. */
export const isWholeList = ({ method, result }: Route): boolean => method === 'GET' && result.kind === 'records'

export interface ListOptions {
  /** Filter name to the path parameter that it must equal. */
  fixed?: Readonly<Record<string, string>>
  /** The order of a request without `sort`. */
  sort?: string
}

/** Returns the sources of a list operation's variables. */
export function listSources(options: ListOptions = {}): Record<string, Source> {
  return {
    first: { from: 'limit' },
    offset: { from: 'offset' },
    after: { from: 'after' },
    orderBy: { from: 'sort', byDefault: options.sort },
    filter: { from: 'filter', fixed: options.fixed },
  }
}
