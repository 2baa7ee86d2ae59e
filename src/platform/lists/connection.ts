import { ArgsType, Field, Int, ObjectType, registerEnumType, InputType, type ClassType } from 'type-graphql'
import { isSortable, type FilterFields } from './filters.js'

@ObjectType({ simpleResolvers: true, description: 'Position of a page in its list (Relay).' })
export class PageInfo {
  @Field(() => Boolean) hasNextPage!: boolean
  @Field(() => Boolean) hasPreviousPage!: boolean
  @Field(() => String, { nullable: true }) startCursor!: string | null
  @Field(() => String, { nullable: true }) endCursor!: string | null
}

@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Page length, at most 100; 30 if neither `first` nor `last` is given.',
  })
  first?: number

  @Field(() => String, { nullable: true, description: 'Returns only records after this cursor.' })
  after?: string

  @Field(() => Int, { nullable: true, description: 'Page length from the end, at most 100.' })
  last?: number

  @Field(() => String, { nullable: true, description: 'Returns only records before this cursor.' })
  before?: string

  @Field(() => Int, {
    nullable: true,
    description: 'Number of records to skip, for clients that page by number; large offsets are slow.',
  })
  offset?: number
}

export interface Edge<Node> {
  cursor: string
  node: Node
}

/** A page of a list. `totalCount` is counted only on request. */
export interface Page<Node> {
  edges: Edge<Node>[]
  pageInfo: PageInfo
  totalCount: () => Promise<number>
}

export enum OrderDirection {
  ASC = 'asc',
  DESC = 'desc',
}
registerEnumType(OrderDirection, { name: 'OrderDirection', description: 'Nulls come last in ascending order.' })

export interface OrderTerm {
  field: string
  direction: OrderDirection
}

/** Creates `<name>Connection` and `<name>Edge` for a node type. */
export function connectionType<Node extends object>(name: string, node: () => ClassType<Node>): ClassType<Page<Node>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class EdgeType {
    @Field(() => String) cursor!: string
    @Field(node) node!: Node
  }
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of a list of ${name} records.` })
  class ConnectionType {
    @Field(() => [EdgeType]) edges!: EdgeType[]
    @Field(() => [node()])
    nodes(): Node[] {
      return this.edges.map((edge) => edge.node)
    }
    @Field(() => PageInfo) pageInfo!: PageInfo
    // A method, so that it gets a resolver: compiled operations read properties but do not call them.
    @Field(() => Int, { description: 'Number of records in the whole list; counted only when requested.' })
    totalCount(): Promise<number> {
      throw new Error('a page has its own count')
    }
  }
  return ConnectionType as unknown as ClassType<Page<Node>>
}

/** Creates `<name>Order` with the sortable fields of a field table. */
export function orderInput(name: string, fields: FilterFields): ClassType<OrderTerm> {
  const sortable = Object.entries(fields).filter(([, field]) => isSortable(field))
  const values = Object.fromEntries(sortable.map(([key]) => [upperCase(key), key]))
  registerEnumType(values, { name: `${name}OrderField`, description: 'A field to sort by.' })
  @InputType(`${name}Order`)
  class OrderType implements OrderTerm {
    @Field(() => values) field!: string
    @Field(() => OrderDirection, { nullable: true, defaultValue: OrderDirection.ASC }) direction!: OrderDirection
  }
  return OrderType
}

/** `lastMessageAt` is `LAST_MESSAGE_AT`. */
function upperCase(key: string): string {
  return key.replace(/[A-Z]/g, '_$&').toUpperCase()
}
