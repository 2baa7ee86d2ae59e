import {
  GraphQLError,
  Kind,
  parse,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf, type Fragments } from './fragments.js'
import { sourceDepth } from './source-depth.js'

/** Limits of a document, whatever it does. Counted with fragments expanded, before validation. */
export interface DocumentLimits {
  /** Characters of the source. */
  sourceLength: number
  tokens: number
  /** Nesting of brackets in the source, whatever they contain. */
  nesting: number
  /** A field of the root has depth 1. */
  depth: number
  /** Depth below `__schema` and `__type`: tools request types of types of types. */
  introspectionDepth: number
  fields: number
  /** Root fields, and aliases in the whole operation. */
  rootFields: number
  aliases: number
  /** On one field, fragment spread, fragment or operation. */
  directives: number
  /** Comparisons of fields with the same name that validation must make. */
  comparisons: number
  /** Operations and fragments of one document. */
  definitions: number
}

export const DOCUMENT_LIMITS: Readonly<DocumentLimits> = {
  sourceLength: 65_536,
  tokens: 4_000,
  nesting: 64,
  depth: 15,
  introspectionDepth: 20,
  fields: 5_000,
  rootFields: 30,
  aliases: 100,
  directives: 20,
  comparisons: 20_000,
  definitions: 100,
}

/**
 * Limits of a document that is read in about a millisecond, whatever it says: not much more than its request takes
 * otherwise. The documents of sign-ins and of the web widget are within them.
 */
const SMALL_DOCUMENT_LIMITS: Readonly<DocumentLimits> = {
  ...DOCUMENT_LIMITS,
  sourceLength: 1_024,
  nesting: 16,
  fields: 200,
  aliases: 10,
  comparisons: 200,
}

/**
 * Tells whether a document may be read without waiting for others. A document that cannot be parsed counts by its
 * length.
 */
export function isSmallDocument(source: string): boolean {
  const { sourceLength, nesting, tokens } = SMALL_DOCUMENT_LIMITS
  if (source.length > sourceLength) return false
  if (sourceDepth(source) > nesting) return false
  let document: DocumentNode
  try {
    document = parse(source, { maxTokens: tokens })
  } catch {
    return true
  }
  try {
    checkDocument(document, SMALL_DOCUMENT_LIMITS)
    return true
  } catch {
    return false
  }
}

interface Measure {
  depth: number
  fields: number
  aliases: number
  rootFields: number
}

/**
 * Refuses a document whose validation or execution could cost more than its size suggests: fragment, alias, directive
 * and depth bombs. Each fragment is measured once, so that the check itself is linear in the document.
 * @returns the number of its fields, counting those of fragments at each spread, which determines the time to validate
 *   and compile
 * @throws GraphQLError with code DOCUMENT_TOO_LARGE naming the limit
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): number {
  refuseOver('definitions', document.definitions.length, limits.definitions)
  return new DocumentMeter(document, limits).check()
}

class DocumentMeter {
  readonly #fragments: Fragments
  readonly #measured = new Map<string, Measure | 'open'>()

  constructor(
    private readonly document: DocumentNode,
    private readonly limits: DocumentLimits,
  ) {
    this.#fragments = fragmentsOf(document)
  }

  check(): number {
    let fields = 0
    // Fragments that no operation uses are validated too.
    for (const name of this.#fragments.keys()) fields += this.#refuse(this.#fragment(name)).fields
    let comparisons = 0
    for (const node of this.document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) continue
      this.#directives(node)
      if (node.kind === Kind.OPERATION_DEFINITION) fields += this.#operation(node).fields
      refuseOver('fields', fields, this.limits.fields * 2)
      comparisons += this.#comparisons([node.selectionSet])
      refuseOver('comparisons', comparisons, this.limits.comparisons)
    }
    return fields
  }

  #operation(node: OperationDefinitionNode): Measure {
    const measure = this.#refuse(this.#selections(node.selectionSet, 0, false))
    refuseOver('root fields', measure.rootFields, this.limits.rootFields)
    refuseOver('aliases', measure.aliases, this.limits.aliases)
    return measure
  }

  #refuse(measure: Measure): Measure {
    refuseOver('fields', measure.fields, this.limits.fields)
    refuseOver('levels', measure.depth, this.limits.introspectionDepth)
    return measure
  }

  /** `level` is the depth of the set's fields minus one; it is 0 within fragments, whose measure is added. */
  #selections({ selections }: SelectionSetNode, level: number, introspection: boolean): Measure {
    const total: Measure = { depth: 0, fields: 0, aliases: 0, rootFields: 0 }
    for (const node of selections) {
      this.#directives(node)
      const part = this.#selection(node, level, introspection)
      total.depth = Math.max(total.depth, part.depth)
      total.fields += part.fields
      total.aliases += part.aliases
      total.rootFields += part.rootFields
    }
    return total
  }

  #selection(node: SelectionSetNode['selections'][number], level: number, introspection: boolean): Measure {
    switch (node.kind) {
      case Kind.INLINE_FRAGMENT:
        return this.#selections(node.selectionSet, level, introspection)
      case Kind.FRAGMENT_SPREAD: {
        const fragment = this.#fragment(node.name.value)
        const max = introspection ? this.limits.introspectionDepth : this.limits.depth
        refuseOver('levels', level + fragment.depth, max)
        return fragment
      }
      case Kind.FIELD: {
        const within = introspection || node.name.value.startsWith('__')
        refuseOver('levels', level + 1, within ? this.limits.introspectionDepth : this.limits.depth)
        const aliases = node.alias ? 1 : 0
        if (!node.selectionSet) return { depth: 1, fields: 1, aliases, rootFields: 1 }
        const below = this.#selections(node.selectionSet, level + 1, within)
        return { depth: below.depth + 1, fields: below.fields + 1, aliases: below.aliases + aliases, rootFields: 1 }
      }
    }
  }

  #fragment(name: string): Measure {
    const known = this.#measured.get(name)
    if (known === 'open') throw tooLarge(`the fragment ${name} contains itself`)
    if (known) return known
    const fragment = this.#fragments.get(name)
    // Validation reports it.
    if (!fragment) return { depth: 0, fields: 0, aliases: 0, rootFields: 0 }
    this.#measured.set(name, 'open')
    // Tools send fragments on introspection types.
    const measure = this.#selections(fragment.selectionSet, 0, fragment.typeCondition.name.value.startsWith('__'))
    this.#measured.set(name, measure)
    return measure
  }

  #directives({ directives }: { readonly directives?: readonly unknown[] }): void {
    refuseOver('directives', directives?.length ?? 0, this.limits.directives)
  }

  /** Counts pairs of fields with one response name, merged as in execution; only if `fields` is within its limit. */
  #comparisons(sets: readonly SelectionSetNode[]): number {
    const byName = new Map<string, { count: number; below: SelectionSetNode[] }>()
    const add = ({ selections }: SelectionSetNode): void => {
      for (const node of selections) {
        if (node.kind === Kind.FIELD) {
          const name = node.alias?.value ?? node.name.value
          let group = byName.get(name)
          if (!group) byName.set(name, (group = { count: 0, below: [] }))
          group.count += 1
          if (node.selectionSet) group.below.push(node.selectionSet)
        } else if (node.kind === Kind.INLINE_FRAGMENT) {
          add(node.selectionSet)
        } else {
          const fragment = this.#fragments.get(node.name.value)
          if (fragment) add(fragment.selectionSet)
        }
      }
    }
    for (const set of sets) add(set)
    let pairs = 0
    for (const { count, below } of byName.values()) {
      pairs += (count * (count - 1)) / 2
      if (below.length > 0) pairs += this.#comparisons(below)
    }
    return pairs
  }
}

function refuseOver(what: string, count: number, max: number): void {
  if (count > max) throw tooLarge(`the document has ${count} ${what}; at most ${max} are allowed`)
}

function tooLarge(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'DOCUMENT_TOO_LARGE' } })
}
