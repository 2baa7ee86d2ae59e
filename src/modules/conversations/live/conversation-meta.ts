import type { LoaderDefinition } from '../../../platform/context.js'
import type { JsonObject } from '../../../platform/json.js'
import { rowsById } from '../../../platform/lists/rows.js'

/** Metadata of queued conversations, loaded on request: events of a queue do not carry it. */
export const conversationMetaLoader: LoaderDefinition<JsonObject> = {
  async load(ctx, conversations) {
    const rows = await rowsById<{ id: string; meta: JsonObject }>(ctx, 'conversation', conversations, 't.id, t.meta')
    return new Map([...rows].map(([id, { meta }]) => [id, meta]))
  },
}
