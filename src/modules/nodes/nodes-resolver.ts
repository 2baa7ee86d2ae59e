import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { Arg, Authorized, Ctx, ID, Query, Resolver } from 'type-graphql'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput, NotFound } from '../../platform/errors.js'
import { Node } from '../../platform/lists/node.js'
import { NODE_TYPES } from './node-types.js'

const IDS_MAX = 100

@Resolver()
export class NodesResolver {
  @Authorized('node.fetch')
  @Query(() => Node, {
    nullable: true,
    description:
      "Any record by its id (Relay). Records that the caller may not fetch and other tenants' records are not found, " +
      'indistinguishably.',
  })
  async node(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Node> {
    const node = await findNode(ctx, id)
    if (!node) throw recordNotFound('Node', id)
    return node
  }

  @Authorized('node.fetch')
  @Query(() => [Node], { nullable: 'items', description: 'Records by their ids, null where one is not found (Relay).' })
  nodes(
    @Ctx() ctx: Context,
    @Arg('ids', () => [ID], { description: `At most ${IDS_MAX}.` }) ids: string[],
  ): Promise<(Node | null)[]> {
    if (ids.length > IDS_MAX) throw new BadUserInput('ids', `ids has ${ids.length} elements; at most ${IDS_MAX}`)
    return Promise.all(ids.map((id) => findNode(ctx, id)))
  }
}

async function findNode(ctx: Context, id: string): Promise<Node | null> {
  const name = isId(id) ? await ctx.loader(typeLoader).load(id.toLowerCase()) : null
  const type = name === null ? null : NODE_TYPES[name]!
  if (!type || !(isAllowed(ctx.caller, type.permission) || isOwnUser(ctx, id))) return null
  try {
    return Object.assign(await type.fetch(ctx, id), { __typename: name }) as Node & { __typename: string }
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

function isOwnUser({ caller }: Context, id: string): boolean {
  return caller.kind === 'user' && caller.user === id.toLowerCase()
}

const TABLES = Object.entries(NODE_TYPES)
  .map(([name, { table }]) => `select id, '${name}' as name from ${table} where id = any($1::uuid[])`)
  .join(' union all ')

/** Finds the type of an id: whether the caller may see the record is found out when it is read. */
const typeLoader: LoaderDefinition<string> = {
  async load(ctx, ids) {
    const rows = await ctx.reads.query<{ id: string; name: string }>(TABLES, [ids], 'node-types')
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
}
