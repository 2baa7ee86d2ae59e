import { buildSchema, type GraphQLEnumType, type GraphQLSchema } from 'graphql'
import { GraphQLJSONObject } from 'graphql-scalars'
import { NotFound, Unprocessable } from '../../src/platform/errors.js'
import { DateTime } from '../../src/platform/lists/scalars.js'
import { embedded, reference, serverMade, value, type RecordSpec } from '../../rest-compat/record.js'
import {
  body,
  bodyKey,
  idempotencyKey,
  listSources,
  nothing,
  page,
  path,
  record,
  type Route,
} from '../../rest-compat/route.js'

/** A small domain with everything that the conventions are about, so that they are tested apart from the product's. */
const SDL = `
  scalar DateTime
  scalar JSONObject
  enum Format { TEXT_PLAIN HARD_COVER }
  type Author { id: ID! name: String! organizationId: ID }
  type Address { street: String city: String }
  type Copy { shelf: String! readerId: ID reader: Author }
  type Book {
    id: ID! title: String! format: Format subtitle: String category: String pages: Int address: Address
    authorId: ID author: Author reviewerIds: [ID!]! reviewers: [Author!]! copies: [Copy!]! meta: JSONObject
    createdAt: DateTime!
  }
  type BookEdge { node: Book! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type BookConnection { edges: [BookEdge!]! totalCount: Int! pageInfo: PageInfo! }
  input StringFilter { eq: String ne: String in: [String!] contains: String startsWith: String endsWith: String
    gt: String gte: String lt: String lte: String }
  input IdFilter { eq: ID ne: ID in: [ID!] }
  input IntFilter { eq: Int ne: Int in: [Int!] gt: Int gte: Int lt: Int lte: Int }
  input BooleanFilter { eq: Boolean ne: Boolean }
  input DateTimeFilter { eq: DateTime ne: DateTime gt: DateTime gte: DateTime lt: DateTime lte: DateTime }
  input JsonFilter {
    path: String! eq: String ne: String gt: String gte: String lt: String lte: String contains: String
  }
  input CopyFilter { reader: IdFilter lent: BooleanFilter shelf: StringFilter and: [CopyFilter!] or: [CopyFilter!] }
  input BookFilter {
    id: IdFilter title: StringFilter pages: IntFilter createdAt: DateTimeFilter copies: CopyFilter meta: [JsonFilter!]
    lent: BooleanFilter and: [BookFilter!] or: [BookFilter!]
  }
  enum BookOrderField { id title createdAt }
  enum OrderDirection { ASC DESC }
  input BookOrder { field: BookOrderField! direction: OrderDirection = ASC }
  input AddressInput { street: String city: String }
  input CopyInput { shelf: String! reader: ID }
  input CreateBookInput {
    title: String! format: Format subtitle: String pages: Int address: AddressInput author: ID copies: [CopyInput!]
    meta: JSONObject createdOn: DateTime weight: Float isLent: Boolean reference: String
  }
  input UpdateBookInput { title: String subtitle: String format: Format address: AddressInput }
  type Query {
    book(id: ID!): Book
    books(first: Int, offset: Int, after: String, filter: BookFilter, orderBy: [BookOrder!]): BookConnection!
    fails(how: String!): Book
  }
  type Mutation {
    createBook(input: CreateBookInput!, idempotencyKey: String): Book!
    updateBook(id: ID!, patch: UpdateBookInput!): Book!
    createBooks(books: [CreateBookInput!]!): [Book!]!
    lendBook(book: ID!, reader: ID!, note: String): Book!
    deleteBook(id: ID!): Boolean!
    test(id: ID!, facts: JSONObject!): Boolean!
  }
`

/** Arguments as the resolvers got them. */
export interface Seen {
  field: string
  args: Record<string, unknown>
}

export const BOOK_ID = '01890000-0000-7000-8000-000000000001'
const AUTHOR_ID = '01890000-0000-7000-8000-0000000000aa'

export function librarySchema(seen: Seen[], total = 70): GraphQLSchema {
  const schema = buildSchema(SDL)
  Object.assign(schema.getType('DateTime')!, pickScalar(DateTime))
  Object.assign(schema.getType('JSONObject')!, pickScalar(GraphQLJSONObject))
  const format = schema.getType('Format') as GraphQLEnumType
  const texts = ['text/plain', 'hardCover']
  const values = texts.map((text, index) => Object.assign(format.getValues()[index]!, { value: text }))
  Reflect.set(format, '_valueLookup', new Map(values.map((each) => [each.value, each])))
  const author = { id: AUTHOR_ID, name: 'Ann', organizationId: null }
  const book = (given: Record<string, unknown> = {}): Record<string, unknown> => ({
    id: BOOK_ID,
    title: 'Emma',
    format: 'text/plain',
    subtitle: null,
    category: null,
    pages: 0,
    address: { street: null, city: 'Bath' },
    authorId: AUTHOR_ID,
    author,
    reviewerIds: [AUTHOR_ID],
    reviewers: [author],
    copies: [
      { shelf: 'A', readerId: AUTHOR_ID, reader: author },
      { shelf: 'B', readerId: null, reader: null },
    ],
    meta: { nested: null },
    createdAt: new Date('2026-01-02T03:04:05Z'),
    ...given,
  })
  const resolvers: Record<string, (args: Record<string, unknown>) => unknown> = {
    book: ({ id }) => (id === BOOK_ID ? book() : null),
    books: ({ first, offset, after }) => {
      const at = (offset as number | undefined) ?? Number(after ?? 0)
      const length = Math.max(0, Math.min(first as number, total - at))
      return {
        totalCount: total,
        pageInfo: { hasNextPage: at + length < total, endCursor: String(at + length) },
        edges: Array.from({ length }, (_, index) => ({ node: book({ title: `${at + index}` }) })),
      }
    },
    fails: ({ how }) => {
      if (how === 'details') throw new Unprocessable('contact already exists', { contact: 'c', conversation: 'v' })
      if (how === 'missing') throw new NotFound('Conversation not found')
      throw new Error('secret')
    },
    createBook: ({ input }) => book(input as object as Record<string, unknown>),
    updateBook: () => book(),
    createBooks: ({ books }) => (books as Record<string, unknown>[]).map(book),
    lendBook: () => book(),
    deleteBook: () => true,
    test: () => true,
  }
  for (const root of [schema.getQueryType()!, schema.getMutationType()!]) {
    for (const field of Object.values(root.getFields())) {
      field.resolve = (_root, args: Record<string, unknown>) => {
        seen.push({ field: field.name, args: JSON.parse(JSON.stringify(args)) as Record<string, unknown> })
        return resolvers[field.name]!(args)
      }
    }
  }
  return schema
}

function pickScalar({ serialize, parseValue, parseLiteral }: typeof DateTime | typeof GraphQLJSONObject): object {
  return { serialize, parseValue, parseLiteral }
}

const author: RecordSpec = { type: 'Author', fields: { id: serverMade(), name: value() }, populate: [] }

export const book: RecordSpec = {
  type: 'Book',
  fields: {
    id: serverMade(),
    title: value(),
    format: value(),
    subtitle: value(),
    category: value({ nulls: true }),
    pages: value(),
    address: value(),
    author: reference(() => author, { object: 'author' }),
    reviewers: reference(() => author, { id: 'reviewerIds', object: 'reviewers' }),
    copies: embedded({ shelf: value(), reader: reference(() => author, { object: 'reader' }) }),
    meta: value(),
    createdAt: serverMade(),
  },
  populate: ['author', 'reviewers', 'copies.reader'],
}

const row = { tag: 'Books', operationId: 'aRow', summary: 'A row of the test.', cites: '4' }
const create = `mutation ($input: CreateBookInput!, $key: String) {
  result: createBook(input: $input, idempotencyKey: $key) { ...Record }
}`

export const libraryRoutes: Route[] = [
  {
    ...row,
    method: 'GET',
    path: '/v2/books',
    status: 200,
    result: page(book),
    variables: listSources(),
    operation: `query ($first: Int, $offset: Int, $after: String, $filter: BookFilter, $orderBy: [BookOrder!]) {
      result: books(first: $first, offset: $offset, after: $after, filter: $filter, orderBy: $orderBy) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
  },
  {
    ...row,
    method: 'POST',
    path: '/v2/books',
    status: 201,
    result: { kind: 'records', record: book },
    when: { bodyIs: 'list' },
    variables: { books: body },
    operation: 'mutation ($books: [CreateBookInput!]!) { result: createBooks(books: $books) { ...Record } }',
  },
  {
    ...row,
    method: 'POST',
    path: '/v2/books',
    status: 201,
    result: record(book),
    location: '/books/:id',
    operation: create,
    variables: { input: body, key: idempotencyKey },
  },
  {
    ...row,
    method: 'GET',
    path: '/v2/books/:id',
    status: 200,
    result: record(book),
    variables: { id: path('id') },
    operation: 'query ($id: ID!) { result: book(id: $id) { ...Record } }',
  },
  {
    ...row,
    method: 'PATCH',
    path: '/v2/books/:id',
    status: 200,
    result: record(book),
    variables: { id: path('id'), patch: body },
    operation: `mutation ($id: ID!, $patch: UpdateBookInput!) {
      result: updateBook(id: $id, patch: $patch) { ...Record }
    }`,
  },
  {
    ...row,
    method: 'DELETE',
    path: '/v2/books/:id',
    status: 204,
    result: nothing,
    variables: { id: path('id') },
    operation: 'mutation ($id: ID!) { result: deleteBook(id: $id) }',
  },
  {
    ...row,
    method: 'POST',
    path: '/v2/books/:id',
    status: 204,
    result: nothing,
    variables: { id: path('id'), facts: body },
    operation: 'mutation ($id: ID!, $facts: JSONObject!) { result: test(id: $id, facts: $facts) }',
  },
  {
    ...row,
    method: 'POST',
    path: '/v2/books/:id/loans',
    status: 201,
    result: record(book),
    variables: { id: path('id'), reader: bodyKey('reader'), note: bodyKey('note') },
    operation: `mutation ($id: ID!, $reader: ID!, $note: String) {
      result: lendBook(book: $id, reader: $reader, note: $note) { ...Record }
    }`,
  },
  {
    ...row,
    method: 'GET',
    path: '/v2/fails/:how',
    status: 200,
    result: record(book),
    variables: { how: path('how') },
    operation: 'query ($how: String!) { result: fails(how: $how) { ...Record } }',
  },
  {
    ...row,
    method: 'GET',
    path: '/v2/public',
    status: 200,
    result: record(book),
    isPublic: true,
    variables: {},
    operation: `query { result: book(id: "${BOOK_ID}") { ...Record } }`,
  },
]
