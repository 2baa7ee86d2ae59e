import { macroRecord, macroResultRecord } from '../records/macro.js'
import { bodyKey, path, record, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Macros'
const { delete: _, ...kept } = crudRoutes({ path: '/v2/macros', tag, record: macroRecord, cites: '4.8' })

export const macroRoutes: Route[] = [
  ...Object.values(kept),
  {
    method: 'DELETE',
    path: '/v2/macros/:id',
    tag,
    operationId: 'archiveMacro',
    summary: 'Archive a macro: it runs no more.',
    cites: '4.8',
    operation: 'mutation ArchiveMacro($id: ID!) { result: archiveMacro(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(macroRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/macros/:id/run',
    tag,
    operationId: 'runMacro',
    summary: 'Run a macro on conversations: of each, all steps or none.',
    notes:
      'The response has one result a conversation, in their order. `id` is a UUID of the run, chosen by the client: a repeat within 24 hours ' +
      'gets the first answer.',
    cites: '4.8',
    operation: `mutation RunMacro($macro: ID!, $conversations: [ID!]!, $id: ID!, $ifLastMessage: ID) {
      result: runMacro(macro: $macro, conversations: $conversations, id: $id, ifLastMessage: $ifLastMessage) { ...Record }
    }`,
    variables: {
      macro: path('id'),
      conversations: bodyKey('conversations'),
      id: bodyKey('id'),
      ifLastMessage: bodyKey('ifLastMessage'),
    },
    result: records(macroResultRecord),
    status: 200,
  },
]
