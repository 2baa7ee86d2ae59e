import { serverMade, type RecordSpec } from '../record.js'

/** The changes that a routing document makes, and the digest of the state that they change. */
export const routingPlanRecord: RecordSpec = {
  type: 'RoutingPlan',
  fields: { changes: serverMade(), notes: serverMade(), digest: serverMade() },
  populate: [],
}
