import { viewRecord } from '../records/view.js'
import { body, idempotencyKey, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const { create, update, ...others } = crudRoutes({ path: '/v2/views', tag: 'Views', record: viewRecord, cites: '2.8' })

export const viewRoutes: Route[] = [
  ...Object.values(others),
  {
    ...create,
    operation: `mutation CreateView($input: SaveViewInput!, $idempotencyKey: String) {
      result: saveView(input: $input, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    notes: 'Needs `name` and `filter`, which has the form of the GraphQL interface.',
    variables: { input: body, idempotencyKey },
    result: record(viewRecord),
  },
  {
    ...update,
    operation: `mutation UpdateView($id: ID!, $input: SaveViewInput!) {
      result: saveView(id: $id, input: $input) { ...Record }
    }`,
    variables: { id: path('id'), input: body },
    result: record(viewRecord),
  },
]
