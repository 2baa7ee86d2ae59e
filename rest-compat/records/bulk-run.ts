import { object, serverMade, type RecordSpec } from '../record.js'

/** An act with many conversations. */
export const bulkRunRecord: RecordSpec = {
  type: 'BulkRun',
  fields: {
    id: serverMade(),
    state: serverMade(),
    kinds: serverMade(),
    total: serverMade(),
    done: serverMade(),
    skipped: serverMade(),
    failed: serverMade(),
    undone: serverMade(),
    kept: serverMade(),
    isUndoable: serverMade(),
    refusals: object({ serverMade: true }),
    createdAt: serverMade(),
    endedAt: serverMade(),
    undoUntil: serverMade(),
  },
  populate: [],
}
