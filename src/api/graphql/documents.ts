import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { PUBLIC_FIELDS } from '../../platform/access/permissions.js'
import { quoteValue } from '../../platform/errors.js'
import { DocumentCache, type CacheLimits } from './document-cache.js'
import { compileCost, type Cost } from './cost.js'
import { checkDocument, DOCUMENT_LIMITS, type DocumentLimits } from './document-limits.js'
import { fragmentsOf } from './fragments.js'
import { inputPathOf } from './input-path.js'
import { IntrospectionCost } from './introspection-cost.js'
import { sourceDepth } from './source-depth.js'
import { compileOperation, type RunCompiled } from './executor.js'

/** An operation of a document that was parsed, checked against the limits and validated. */
export interface PreparedOperation {
  source: string
  document: DocumentNode
  operation: OperationDefinitionNode
  kind: OperationTypeNode
  /** Estimate of the objects that it loads, without introspection. */
  cost: Cost
  /** Estimate of the fields that its introspection resolves. */
  introspection: number
  /** Fields of the whole document, counting those of fragments at each spread. */
  fields: number
  run: RunCompiled
  /** True if it may run without credentials, or with bad ones. */
  isPublic: boolean
}

/** A document that is not executed; each error has its code, and none is confidential. */
export class DocumentRefused extends Error {
  constructor(
    readonly errors: readonly GraphQLError[],
    /** Cost of the check, in units of `Cost`. */
    readonly weight = 0,
  ) {
    super(errors[0]!.message)
    this.name = 'DocumentRefused'
  }
}

const MEBIBYTE = 1024 * 1024
const CACHE_LIMITS: Readonly<CacheLimits> = { bytes: 64 * MEBIBYTE, bytesPerOwner: 16 * MEBIBYTE, entries: 1_000 }
/** Memory of a token with its node, and of a compiled field; measured with Node 24. */
const TOKEN_BYTES = 450
const FIELD_BYTES = 1_500
const VALIDATION_ERRORS_MAX = 20
/** A suggestion compares a wrong name with all names of the schema, 0.8 ms each. */
const SUGGESTIONS_MAX = 3
/** Parsing this many characters takes about as long as validating a field. */
const CHARACTERS_A_UNIT = 100

interface CachedDocument {
  document: DocumentNode
  fields: number
  operations: Map<string, PreparedOperation>
}

/** A fragment counts as not public: sign-ins do not need one. */
function isPublicField(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && PUBLIC_FIELDS.has(selection.name.value)
}

/** Parses, checks and validates each document once, and caches the last used ones. Shared by HTTP, sockets and REST. */
export class Documents {
  readonly #cache: DocumentCache<CachedDocument>
  readonly #introspection: IntrospectionCost

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: DocumentLimits = DOCUMENT_LIMITS,
    cacheLimits: CacheLimits = CACHE_LIMITS,
  ) {
    this.#cache = new DocumentCache(cacheLimits)
    this.#introspection = new IntrospectionCost(schema)
  }

  /**
   * @param owner whose cache quota it counts against; null: not cached, and errors have no suggestions, as for callers
   *   without credentials
   * @throws DocumentRefused with every error of an invalid document, or for a missing operation
   */
  prepare(source: string, operationName?: string | null, owner: string | null = null): PreparedOperation {
    const entry = this.#find(source, owner)
    const key = operationName ?? ''
    let prepared = entry.operations.get(key)
    if (!prepared) {
      const operation = chooseOperation(entry.document, operationName)
      prepared = {
        source,
        document: entry.document,
        operation,
        kind: operation.operation,
        cost: compileCost(this.schema, entry.document, operation),
        introspection: this.#introspection.ofSelection(operation.selectionSet, fragmentsOf(entry.document)),
        fields: entry.fields,
        run: compileOperation(this.schema, entry.document, operation.name?.value, entry.fields),
        isPublic: operation.selectionSet.selections.every(isPublicField),
      }
      entry.operations.set(key, prepared)
    }
    return prepared
  }

  /** Tells whether the document needs not be read any more. */
  isKept(source: string): boolean {
    return this.#cache.has(source)
  }

  /** Fields of the introspection that tools send: an operation may not ask for more. */
  get introspectionMax(): number {
    return this.#introspection.standard
  }

  /** Number of cached documents, and their estimated size. */
  get kept(): { size: number; bytes: number } {
    return { size: this.#cache.size, bytes: this.#cache.bytes }
  }

  #find(source: string, owner: string | null): CachedDocument {
    const found = this.#cache.find(source)
    if (found) return found
    const entry = { ...this.#read(source, owner !== null), operations: new Map<string, PreparedOperation>() }
    if (owner !== null) this.#cache.add(source, entry, bytesOf(source, entry), owner)
    return entry
  }

  #read(source: string, hasSuggestions: boolean): Pick<CachedDocument, 'document' | 'fields'> {
    const { sourceLength, tokens, nesting } = this.limits
    if (source.length > sourceLength) {
      const message = `the document has ${source.length} characters; at most ${sourceLength} are allowed`
      throw refused(message, 'DOCUMENT_TOO_LARGE')
    }
    const weight = weightOf(source)
    if (sourceDepth(source) > nesting) {
      throw refused(`the document nests deeper than ${nesting} brackets`, 'DOCUMENT_TOO_LARGE', weight)
    }
    const document = parseDocument(source, tokens)
    let fields: number
    try {
      fields = checkDocument(document, this.limits)
    } catch (error) {
      if (error instanceof GraphQLError) throw new DocumentRefused([error], weight)
      throw error
    }
    const errors = this.#errorsOf(document, hasSuggestions)
    if (errors.length > 0) {
      throw new DocumentRefused(
        errors.map((error) => withField(withCode(error, 'GRAPHQL_VALIDATION_FAILED'), document)),
        weight + fields,
      )
    }
    return { document, fields }
  }

  #errorsOf(document: DocumentNode, hasSuggestions: boolean): readonly GraphQLError[] {
    const options = { maxErrors: VALIDATION_ERRORS_MAX, hideSuggestions: true }
    const errors = validate(this.schema, document, undefined, options)
    if (!hasSuggestions || errors.length === 0 || errors.length > SUGGESTIONS_MAX) return errors
    return validate(this.schema, document, undefined, { ...options, hideSuggestions: false })
  }
}

/** Estimates an upper bound for the memory of a cached document, including compiled operations. */
function bytesOf(source: string, { document, fields }: Pick<CachedDocument, 'document' | 'fields'>): number {
  let tokens = 0
  for (let token = document.loc?.startToken ?? null; token; token = token.next) tokens += 1
  return source.length * 2 + tokens * TOKEN_BYTES + fields * FIELD_BYTES
}

function parseDocument(source: string, maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxTokens })
  } catch (error) {
    if (error instanceof GraphQLError)
      throw new DocumentRefused([withCode(error, 'GRAPHQL_PARSE_FAILED')], weightOf(source))
    throw error
  }
}

function chooseOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const code = 'OPERATION_RESOLUTION_FAILURE'
  if (name != null && name !== '') {
    const named = operations.find((node) => node.name?.value === name)
    if (!named) throw refused(`the document has no operation named ${quoteValue(name)}`, code)
    return named
  }
  if (operations.length === 1) return operations[0]!
  if (operations.length === 0) throw refused('the document has no operation', code)
  throw refused('operationName is required: the document has several operations', code)
}

function refused(message: string, code: string, weight = 0): DocumentRefused {
  return new DocumentRefused([new GraphQLError(message, { extensions: { code } })], weight)
}

/** Cost of parsing a source, in units of `Cost`. */
export function weightOf(source: string): number {
  return Math.ceil(source.length / CHARACTERS_A_UNIT)
}

/** Modified in place to keep its locations. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions.code ??= code
  return error
}

/** Adds the path of the value that the error is about. */
function withField(error: GraphQLError, document: DocumentNode): GraphQLError {
  const [node] = error.nodes ?? []
  const field = node && inputPathOf(document, node)
  if (field !== undefined) error.extensions.field = field
  return error
}
