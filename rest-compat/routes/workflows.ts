import { ruleEventRecord, workflowRecord, workflowRuleRecord } from '../records/workflow.js'
import { body, idempotencyKey, nothing, path, record, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Workflows'
const rules = '/v2/workflows/:id/rules'
const rulesOfWorkflow = `query WorkflowRules($id: ID!) {
  workflow(id: $id) { _version: version result: rules { ...Record } }
}`
const ofRule = { id: path('id'), rule: path('rule') }

export const workflowRoutes: Route[] = [
  ...Object.values(crudRoutes({ path: '/v2/workflows', tag, record: workflowRecord, cites: '4.5' })),
  {
    method: 'POST',
    path: '/v2/workflows/:id',
    tag,
    operationId: 'testWorkflow',
    summary: 'Test mock facts: returns the events of the rules that they trigger.',
    cites: '4.5',
    operation: `query TestWorkflow($id: ID!, $facts: JSONObject!) {
      result: testWorkflow(workflow: $id, facts: $facts) { ...Record }
    }`,
    variables: { id: path('id'), facts: body },
    result: records(ruleEventRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: rules,
    tag,
    operationId: 'listWorkflowRules',
    summary: 'List the rules of a workflow.',
    cites: '4.5',
    operation: rulesOfWorkflow,
    variables: { id: path('id') },
    result: records(workflowRuleRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: rules,
    tag,
    operationId: 'createWorkflowRule',
    summary: 'Add a rule to a workflow.',
    cites: '4.5',
    operation: `mutation CreateWorkflowRule($id: ID!, $input: WorkflowRuleInput!, $idempotencyKey: String) {
      result: createWorkflowRule(workflow: $id, input: $input, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), input: body, idempotencyKey },
    result: record(workflowRuleRecord),
    status: 201,
  },
  {
    method: 'GET',
    path: `${rules}/:rule`,
    tag,
    operationId: 'getWorkflowRule',
    summary: 'Fetch a rule of a workflow.',
    cites: '4.5',
    notes: 'The ETag is that of the workflow.',
    operation: rulesOfWorkflow,
    variables: { id: path('id') },
    result: { kind: 'element', record: workflowRuleRecord, field: 'id', parameter: 'rule' },
    status: 200,
  },
  {
    method: 'PATCH',
    path: `${rules}/:rule`,
    tag,
    operationId: 'updateWorkflowRule',
    summary: 'Change the given fields of a rule.',
    notes: '`If-Match` names the ETag of the workflow.',
    cites: '4.5',
    operation: `mutation UpdateWorkflowRule($id: ID!, $rule: ID!, $patch: UpdateWorkflowRuleInput!) {
      result: updateWorkflowRule(workflow: $id, rule: $rule, patch: $patch) { ...Record }
    }`,
    variables: { ...ofRule, patch: body },
    result: record(workflowRuleRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: `${rules}/:rule`,
    tag,
    operationId: 'testWorkflowRule',
    summary: 'Test mock facts on a single rule.',
    cites: '4.5',
    operation: `query TestWorkflowRule($id: ID!, $rule: ID!, $facts: JSONObject!) {
      result: testWorkflowRule(workflow: $id, rule: $rule, facts: $facts) { ...Record }
    }`,
    variables: { ...ofRule, facts: body },
    result: records(ruleEventRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: `${rules}/:rule`,
    tag,
    operationId: 'deleteWorkflowRule',
    summary: 'Remove a rule from a workflow.',
    cites: '4.5',
    operation: `mutation DeleteWorkflowRule($id: ID!, $rule: ID!) {
      result: deleteWorkflowRule(workflow: $id, rule: $rule)
    }`,
    variables: ofRule,
    result: nothing,
    status: 204,
  },
]
