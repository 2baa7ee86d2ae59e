import {
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf, type Fragments } from './fragments.js'

/** Lengths of a list: the average over the whole schema, and of the longest. */
interface Lengths {
  average: number
  longest: number
}

/** Estimates how many fields an introspection resolves: each list of the schema with its length, each alias separately. */
export class IntrospectionCost {
  readonly #lists: ReadonlyMap<string, Lengths>
  /** Fields of the query that tools send, with everything that they may ask for. */
  readonly standard: number

  constructor(private readonly schema: GraphQLSchema) {
    this.#lists = measureLists(schema)
    const document = parse(getIntrospectionQuery(EVERYTHING))
    const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
    this.standard = this.ofSelection(operation.selectionSet, fragmentsOf(document))
  }

  /** Sums the introspection fields of a root selection. */
  ofSelection({ selections }: SelectionSetNode, fragments: Fragments): number {
    return selections.reduce((total, node) => {
      if (node.kind === Kind.FIELD) return total + this.#ofRoot(node, fragments)
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
      return fragment ? total + this.ofSelection(fragment.selectionSet, fragments) : total
    }, 0)
  }

  #ofRoot({ name, selectionSet }: FieldNode, fragments: Fragments): number {
    const type = ROOT_TYPES[name.value]
    if (!type || !selectionSet) return 0
    const parent = this.schema.getType(type) as GraphQLObjectType
    return 1 + this.#below(selectionSet, { parent, ofAll: false, wraps: 0 }, fragments)
  }

  #below({ selections }: SelectionSetNode, place: Place, fragments: Fragments): number {
    const { parent, ofAll, wraps } = place
    return selections.reduce((total, node) => {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        return fragment ? total + this.#below(fragment.selectionSet, place, fragments) : total
      }
      const name = node.name.value
      const field = parent.getFields()[name]
      const type = field && getNamedType(field.type)
      if (!node.selectionSet || !isCompositeType(type)) return total + 1
      // A type is wrapped three times at most: `[Thing!]!`.
      if (name === 'ofType' && wraps === WRAPS_MAX) return total + 1
      const lengths = this.#lists.get(parent.name === '__Directive' ? `directive ${name}` : name)
      const goesOn = lengths !== undefined && (ofAll || parent.name === '__Schema')
      const length = lengths ? (goesOn ? lengths.average : lengths.longest) : 1
      // The types that implement an interface are visited once for each of them, and are not average ones.
      const below = {
        parent: type as GraphQLObjectType,
        ofAll: goesOn && !TYPES_AGAIN.has(name),
        wraps: name === 'ofType' ? wraps + 1 : 0,
      }
      return total + 1 + length * this.#below(node.selectionSet, below, fragments)
    }, 0)
  }
}

interface Place {
  parent: GraphQLObjectType
  /** True if all members of the schema are visited, so that the lists below have their average length. */
  ofAll: boolean
  /** Number of `ofType` that lead here. */
  wraps: number
}

const WRAPS_MAX = 3
const TYPES_AGAIN: ReadonlySet<string> = new Set(['interfaces', 'possibleTypes'])
const EVERYTHING = {
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
}
const ROOT_TYPES: Readonly<Record<string, string>> = { __schema: '__Schema', __type: '__Type' }

function measureLists(schema: GraphQLSchema): Map<string, Lengths> {
  const types = Object.values(schema.getTypeMap())
  const withFields = types.filter((type) => isObjectType(type) || isInterfaceType(type))
  const fields = withFields.map((type) => Object.values(type.getFields()))
  const all = (length: number): Lengths => ({ average: length, longest: length })
  const ofTypes = (lengths: readonly number[]): Lengths => lengthsOf(lengths, types.length)
  const inputs = types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)
  return new Map([
    ['types', all(types.length)],
    ['directives', all(schema.getDirectives().length)],
    ['fields', ofTypes(fields.map((each) => each.length))],
    ['inputFields', ofTypes(inputs)],
    ['enumValues', ofTypes(types.filter(isEnumType).map((type) => type.getValues().length))],
    ['interfaces', ofTypes(withFields.map((type) => type.getInterfaces().length))],
    [
      'possibleTypes',
      ofTypes(
        types
          .filter((type) => isUnionType(type) || isInterfaceType(type))
          .map((type) => schema.getPossibleTypes(type).length),
      ),
    ],
    ['directive args', lengthsOf(schema.getDirectives().map(({ args }) => args.length))],
    ['args', lengthsOf(fields.flat().map(({ args }) => args.length))],
  ])
}

function lengthsOf(lengths: readonly number[], among = lengths.length): Lengths {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return { average: total / Math.max(1, among), longest: Math.max(0, ...lengths) }
}
