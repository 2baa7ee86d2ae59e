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
import { PUBLIC_FIELDS } from '../access/permissions.js'
import { shown } from '../errors.js'
import { compileCost, type Cost } from './cost.js'
import { checkDocument, DOCUMENT_LIMITS, type DocumentLimits } from './document-limits.js'
import { compileOperation, type RunCompiled } from './executor.js'

/** One operation of a document that has been parsed, found within the limits and validated. */
export interface PreparedOperation {
  source: string
  document: DocumentNode
  operation: OperationDefinitionNode
  kind: OperationTypeNode
  /** The estimate of what it loads. */
  cost: Cost
  /** Of its whole document, fragments counted wherever they are spread. */
  fields: number
  run: RunCompiled
  /** Whoever has no credentials, or bad ones, may run it. */
  isPublic: boolean
}

/** A document that is not executed; each error has its code, and none is a secret. */
export class DocumentRefused extends Error {
  constructor(
    readonly errors: readonly GraphQLError[],
    /** What finding that out took, in units of `Cost`. */
    readonly weight = 0,
  ) {
    super(errors[0]!.message)
    this.name = 'DocumentRefused'
  }
}

const CACHED_DOCUMENTS = 1_000
/** Sources kept in the cache may together have this many characters. */
const CACHED_CHARACTERS = 8 * 1024 * 1024
const VALIDATION_ERRORS_MAX = 20
/** Parsing this many takes about as long as validating a field. */
const CHARACTERS_A_UNIT = 100

interface CachedDocument {
  document: DocumentNode
  fields: number
  operations: Map<string, PreparedOperation>
}

/** A fragment counts as not public: nobody signs in by one. */
function isPublicField(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && PUBLIC_FIELDS.has(selection.name.value)
}

/** Parses, checks and validates each document once, and keeps those used last. Shared by HTTP, sockets and REST. */
export class Documents {
  readonly #cached = new Map<string, CachedDocument>()
  #characters = 0

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: DocumentLimits = DOCUMENT_LIMITS,
  ) {}

  /** @throws DocumentRefused with every error of a bad document, or of an operation that is not in it. */
  prepare(source: string, operationName?: string | null): PreparedOperation {
    const entry = this.#find(source) ?? this.#add(source)
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
        fields: entry.fields,
        run: compileOperation(this.schema, entry.document, operation.name?.value, entry.fields),
        isPublic: operation.selectionSet.selections.every(isPublicField),
      }
      entry.operations.set(key, prepared)
    }
    return prepared
  }

  get size(): number {
    return this.#cached.size
  }

  #find(source: string): CachedDocument | undefined {
    const entry = this.#cached.get(source)
    if (!entry) return undefined
    // A Map iterates in the order of insertion: the first key is the one used longest ago.
    this.#cached.delete(source)
    this.#cached.set(source, entry)
    return entry
  }

  #add(source: string): CachedDocument {
    const entry = { ...this.#read(source), operations: new Map<string, PreparedOperation>() }
    this.#cached.set(source, entry)
    this.#characters += source.length
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= CACHED_DOCUMENTS && this.#characters <= CACHED_CHARACTERS) break
      this.#cached.delete(oldest)
      this.#characters -= oldest.length
    }
    return entry
  }

  #read(source: string): Pick<CachedDocument, 'document' | 'fields'> {
    const { sourceLength, tokens } = this.limits
    if (source.length > sourceLength) {
      const message = `the document has ${source.length} characters; at most ${sourceLength} are allowed`
      throw refused(message, 'DOCUMENT_TOO_LARGE')
    }
    const document = parseDocument(source, tokens)
    const weight = Math.ceil(source.length / CHARACTERS_A_UNIT)
    let fields: number
    try {
      fields = checkDocument(document, this.limits)
    } catch (error) {
      if (error instanceof GraphQLError) throw new DocumentRefused([error], weight)
      throw error
    }
    const errors = validate(this.schema, document, undefined, { maxErrors: VALIDATION_ERRORS_MAX })
    if (errors.length > 0) {
      throw new DocumentRefused(errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')), weight + fields)
    }
    return { document, fields }
  }
}

function parseDocument(source: string, maxTokens: number): DocumentNode {
  try {
    return parse(source, { maxTokens })
  } catch (error) {
    if (error instanceof GraphQLError) throw new DocumentRefused([withCode(error, 'GRAPHQL_PARSE_FAILED')])
    throw error
  }
}

function chooseOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const code = 'OPERATION_RESOLUTION_FAILURE'
  if (name != null && name !== '') {
    const named = operations.find((node) => node.name?.value === name)
    if (!named) throw refused(`the document has no operation named ${shown(name)}`, code)
    return named
  }
  if (operations.length === 1) return operations[0]!
  if (operations.length === 0) throw refused('the document has no operation', code)
  throw refused('operationName is required: the document has several operations', code)
}

function refused(message: string, code: string): DocumentRefused {
  return new DocumentRefused([new GraphQLError(message, { extensions: { code } })])
}

/** In place, so that locations stay as they are. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions.code ??= code
  return error
}
