import 'reflect-metadata'
import type { GraphQLSchema } from 'graphql'
import { buildSchema, type NonEmptyArray } from 'type-graphql'
import type { Operation } from './access/permissions.js'
import type { Context } from './context.js'
import { DateTime } from './lists/scalars.js'

/** Builds the one schema from the resolvers' instances: their classes give the shape, the instances do the work. */
export async function createSchema(resolvers: readonly object[]): Promise<GraphQLSchema> {
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]))
  return buildSchema({
    resolvers: [...instances.keys()] as NonEmptyArray<Function>,
    container: { get: (type) => instances.get(type) },
    authChecker: ({ context }, operations) => {
      for (const operation of operations) (context as Context).require(operation as Operation)
      return true
    },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    validate: false,
  })
}
