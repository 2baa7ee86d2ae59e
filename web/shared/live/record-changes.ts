import { ContactChangesDocument, RecordChangesDocument } from '../../generated/record-changes.js'
import type { NamedDocument } from './live.js'

/** Counts its beginnings: what was read before one may have missed changes. */
export const RECORD_CHANGES: NamedDocument<number> = {
  name: 'recordChanges',
  query: RecordChangesDocument,
  apply: (beginnings, { __typename }) => (beginnings ?? 0) + Number(__typename.endsWith('Snapshot')),
}

/** Changes of the contact whose page is open, and of its notes. */
export const CONTACT_CHANGES: NamedDocument<number> = {
  ...RECORD_CHANGES,
  name: 'contactChanges',
  query: ContactChangesDocument,
}
