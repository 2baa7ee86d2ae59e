import {
  ruleEventRecord,
  workflowChangeRecord,
  workflowRecord,
  workflowRuleRecord,
  workflowVersionRecord,
} from '../records/workflow.js'
import { body, bodyKey, idempotencyKey, ifMatch, nothing, path, record, records, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Workflows'
const rules = '/v2/workflows/:id/rules'
const rulesOfWorkflow = `query WorkflowRules($id: ID!) {
  workflow(id: $id) { _version: version result: rules { ...Record } }
}`
const versions = '/v2/workflows/:id/versions'
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
  {
    method: 'GET',
    path: versions,
    tag,
    operationId: 'listWorkflowVersions',
    summary: 'List the changes of a workflow, the latest first.',
    notes: 'At most 100; `before` names the number of the last one to ask for those before it.',
    cites: '4.5',
    operation: `query WorkflowVersions($id: ID!, $before: Int) {
      workflow(id: $id) { result: history(first: 100, before: $before) { ...Record } }
    }`,
    variables: {
      id: path('id'),
      before: { from: 'query', name: 'before', description: 'Only changes before this number.' },
    },
    result: records(workflowChangeRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: `${versions}/:number`,
    tag,
    operationId: 'getWorkflowVersion',
    summary: 'Fetch a change of a workflow, with the rules after it.',
    cites: '4.5',
    operation: `query WorkflowVersion($id: ID!, $number: Int!) {
      result: workflowChange(workflow: $id, number: $number) { ...Record }
    }`,
    variables: { id: path('id'), number: path('number') },
    result: record(workflowVersionRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: `${versions}/:number`,
    tag,
    operationId: 'restoreWorkflowVersion',
    summary: 'Restore name, limits and rules of a workflow as they were after a change.',
    notes:
      'Refused with 422 if its rules name channels, users or skills that are gone. `If-Match` names the ETag of the workflow.',
    cites: '4.5',
    operation: `mutation RestoreWorkflow($id: ID!, $number: Int!, $comment: String, $ifVersion: Int) {
      result: restoreWorkflow(id: $id, number: $number, comment: $comment, ifVersion: $ifVersion) { ...Record }
    }`,
    variables: { id: path('id'), number: path('number'), comment: bodyKey('comment'), ifVersion: ifMatch },
    result: record(workflowRecord),
    status: 200,
  },
]
