import { contactNoteRecord } from '../records/contact-note.js'
import { contactRecord } from '../records/contact.js'
import { timelineEntryRecord } from '../records/timeline-entry.js'
import { body, bodyKey, idempotencyKey, nothing, page, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Contacts'
const notes = '/v2/contacts/:id/notes'
const ofNote = { contact: path('id'), note: path('note') }

export const contactRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/contacts', tag, record: contactRecord, cites: '2.11' })),
  {
    method: 'GET',
    path: notes,
    tag,
    operationId: 'listContactNotes',
    summary: 'List the notes of a contact, newest first.',
    notes: 'With those of contacts that are the same person by a merge of their conversations.',
    cites: '2.11',
    operation: `query ContactNotes($id: ID!, $first: Int, $offset: Int, $after: String) {
      result: contactNotes(contact: $id, first: $first, offset: $offset, after: $after) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: { id: path('id'), first: { from: 'limit' }, offset: { from: 'offset' }, after: { from: 'after' } },
    result: page(contactNoteRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: notes,
    tag,
    operationId: 'addContactNote',
    summary: 'Note something about a contact, which never sees it.',
    cites: '2.11',
    operation: `mutation AddContactNote($id: ID!, $text: String!, $idempotencyKey: String) {
      result: addContactNote(contact: $id, text: $text, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), text: bodyKey('text'), idempotencyKey },
    result: record(contactNoteRecord),
    status: 201,
  },
  {
    method: 'GET',
    path: `${notes}/:note`,
    tag,
    operationId: 'getContactNote',
    summary: 'Fetch a note of a contact.',
    cites: '2.11',
    operation: `query ContactNote($contact: ID!, $note: ID!) {
      result: contactNote(contact: $contact, id: $note) { ...Record }
    }`,
    variables: ofNote,
    result: record(contactNoteRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: `${notes}/:note`,
    tag,
    operationId: 'updateContactNote',
    summary: "Change a note of one's own; administrators change anybody's.",
    cites: '2.11',
    operation: `mutation UpdateContactNote($contact: ID!, $note: ID!, $patch: UpdateContactNoteInput!) {
      result: updateContactNote(contact: $contact, id: $note, patch: $patch) { ...Record }
    }`,
    variables: { ...ofNote, patch: body },
    result: record(contactNoteRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: `${notes}/:note`,
    tag,
    operationId: 'deleteContactNote',
    summary: "Delete a note of one's own; administrators delete anybody's.",
    cites: '2.11',
    operation: `mutation DeleteContactNote($contact: ID!, $note: ID!) {
      result: deleteContactNote(contact: $contact, id: $note)
    }`,
    variables: ofNote,
    result: nothing,
    status: 204,
  },
  {
    method: 'GET',
    path: '/v2/contacts/:id/timeline',
    tag,
    operationId: 'listContactTimeline',
    summary: 'List what happened with a contact, newest first.',
    notes:
      'Conversations, notes, merges, forms, ratings, and the names of the fields that were changed: what the caller may see. A page has at ' +
      'most 50 entries.',
    cites: '2.11',
    operation: `query ContactTimeline($id: ID!, $first: Int, $after: String, $before: String, $kinds: [TimelineKind!]) {
      result: contactTimeline(contact: $id, first: $first, after: $after, before: $before, kinds: $kinds) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: {
      id: path('id'),
      first: { from: 'limit' },
      after: { from: 'after' },
      before: {
        from: 'query',
        name: 'before',
        description: 'Cursor of an entry: only what happened since is returned.',
      },
      kinds: {
        from: 'query',
        name: 'kinds',
        description: 'Kinds of entries to return, separated by commas; all of them by default.',
        isList: true,
      },
    },
    result: page(timelineEntryRecord),
    populated: ['note', 'rating'],
    status: 200,
  },
]
