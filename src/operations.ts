import type { GraphQLSchema } from 'graphql'
import type { AppDependencies } from './dependencies.js'
import { DOCUMENT_READ_LIMITS, INTROSPECTION_LIMITS, OPERATION_LIMITS, openShares } from './fairness/shares.js'
import { Documents } from './graphql/documents.js'
import { Operations } from './graphql/operations.js'
import { CostBudget } from './limits/cost-budget.js'

/** Builds the execution of operations, for both interfaces. */
export function openOperations({ config, metrics, redis }: AppDependencies, schema: GraphQLSchema): Operations {
  const documents = new Documents(schema)
  metrics.gauge('documents', 'Number of cached GraphQL documents.', () => documents.kept.size)
  metrics.gauge('documents_bytes', 'Estimated memory of cached GraphQL documents.', () => documents.kept.bytes)
  return new Operations({
    schema,
    documents,
    budget: new CostBudget(config.graphqlCostPerMinute, redis),
    expiredTokenStatus: config.expiredTokenStatus,
    shares: openShares('operations', OPERATION_LIMITS, metrics),
    introspections: openShares('introspections', INTROSPECTION_LIMITS, metrics),
    documentReads: openShares('documents', DOCUMENT_READ_LIMITS, metrics),
  })
}
