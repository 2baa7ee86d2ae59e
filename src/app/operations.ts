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
import { PageDocuments } from '../api/graphql/page-documents.js'
import { loadPageDocuments } from '../api/http/web-files.js'
import { CostBudget } from '../platform/limits/cost-budget.js'

/** Builds the execution of operations, for both interfaces. */
export async function openOperations(
  { config, database, metrics, redis }: AppDependencies,
  schema: GraphQLSchema,
): Promise<Operations> {
  const documents = new Documents(schema)
  const pageDocuments = new PageDocuments(await loadPageDocuments(), database)
  await pageDocuments.register()
  metrics.gauge('documents', 'Number of cached GraphQL documents.', () => documents.kept.size)
  metrics.gauge('documents_bytes', 'Estimated memory of cached GraphQL documents.', () => documents.kept.bytes)
  return new Operations({
    schema,
    documents,
    pageDocuments,
    budget: new CostBudget(config.graphqlCostPerMinute, redis),
    expiredTokenStatus: config.expiredTokenStatus,
    shares: openShares('operations', OPERATION_LIMITS, metrics),
    introspections: openShares('introspections', INTROSPECTION_LIMITS, metrics, { pause: INTROSPECTION_PAUSE }),
    documentReads: openShares('documents', DOCUMENT_READ_LIMITS, metrics, { pause: DOCUMENT_READ_PAUSE }),
  })
}
