import { organizationGroupRecord, organizationRecord } from '../records/organization.js'
import { workflowRecord } from '../records/workflow.js'
import { path, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Organizations'

export const organizationRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/organizations', tag, record: organizationRecord, cites: '4.3' })),
  {
    method: 'GET',
    path: '/v2/organizations/:id/workflows',
    tag,
    operationId: 'listOrganizationWorkflows',
    summary: 'List all workflows that run on an inbound contact message, including those of the organizations above.',
    cites: '4.3',
    operation: `query OrganizationWorkflows($id: ID!) {
      result: organizationWorkflows(organization: $id) { ...Record }
    }`,
    variables: { id: path('id') },
    result: records(workflowRecord),
    status: 200,
    ignoresQuery: true,
  },
]

export const organizationGroupRoutes: Route[] = Object.values(
  crudRoutes({ path: '/v2/orggroups', tag: 'Organization groups', record: organizationGroupRecord, cites: '4.3' }),
)
