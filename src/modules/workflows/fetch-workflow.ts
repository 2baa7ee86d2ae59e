import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { fetchRecord, recordNotFound, type FetchOptions } from '../../platform/lists/fetch-record.js'
import { Workflow } from './workflow.js'

const EXTERNAL_ID = /^[\w-]{1,64}$/

/** Tells whether a text may be the `_id` of a workflow or a rule: old exports have 24 hexadecimal digits (2.7). */
export function isExternalId(text: string): boolean {
  return EXTERNAL_ID.test(text)
}

/** Reads a workflow by its id, or by the `_id` of its creation. @throws NotFound as {@link fetchRecord} */
export async function fetchWorkflow(ctx: Context, id: string, options: FetchOptions = {}): Promise<Workflow> {
  if (isId(id) || !isExternalId(id)) return fetchRecord(ctx, Workflow, id, options)
  const found = await (options.em ?? ctx.em).findOne(Workflow, { externalId: id }, { fields: ['id'] })
  if (!found) throw recordNotFound('Workflow', id)
  return fetchRecord(ctx, Workflow, found.id, options)
}
