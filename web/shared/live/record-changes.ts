import { RecordChangesDocument } from '../../generated/record-changes.js'
import type { NamedDocument } from './live.js'

/** Counts its beginnings: what was read before one may have missed changes. */
export const RECORD_CHANGES: NamedDocument<number> = {
  name: 'recordChanges',
  query: RecordChangesDocument,
  apply: (beginnings, { __typename }) => (beginnings ?? 0) + Number(__typename === 'RecordChangesSnapshot'),
}
