import type { GraphQLSchema } from 'graphql'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { DOCUMENT_READ_LIMITS, INTROSPECTION_LIMITS, OPERATION_LIMITS } from '../../src/platform/fairness/shares.js'
import { Documents } from '../../src/api/graphql/documents.js'
import { Operations } from '../../src/api/graphql/operations.js'
import { CostBudget } from '../../src/platform/limits/cost-budget.js'

/** The operations of a schema, as the server puts them together. */
export function openOperations(
  schema: GraphQLSchema,
  costPerMinute: number,
  expiredTokenStatus: 401 | 403 = 403,
): Operations {
  return new Operations({
    schema,
    pageDocuments: { textOf: (source) => source },
    documents: new Documents(schema),
    budget: new CostBudget(costPerMinute),
    expiredTokenStatus,
    shares: new FairQueue({ name: 'operations', limits: OPERATION_LIMITS }),
    introspections: new FairQueue({ name: 'introspections', limits: INTROSPECTION_LIMITS }),
    documentReads: new FairQueue({ name: 'documents', limits: DOCUMENT_READ_LIMITS }),
  })
}
