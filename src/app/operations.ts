import type { GraphQLSchema } from 'graphql'
import type { AppDependencies } from './dependencies.js'
import {
  DOCUMENT_READ_LIMITS,
  DOCUMENT_READ_PAUSE,
  INTROSPECTION_LIMITS,
  INTROSPECTION_PAUSE,
  OPERATION_LIMITS,
  openShares,
} from '../platform/fairness/shares.js'
import { Documents } from '../api/graphql/documents.js'
import { Operations } from '../api/graphql/operations.js'
import { CostBudget } from '../platform/limits/cost-budget.js'

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
    introspections: openShares('introspections', INTROSPECTION_LIMITS, metrics, { pause: INTROSPECTION_PAUSE }),
    documentReads: openShares('documents', DOCUMENT_READ_LIMITS, metrics, { pause: DOCUMENT_READ_PAUSE }),
  })
}
