import type { WorkflowDefinition } from './rule-definition.js'
import type { Workflow } from './workflow.js'

/** The state of a workflow when it decided something. */
export interface WorkflowVersion extends WorkflowDefinition {
  version: string
}

/** A workflow that runs for the conversations of an organization. */
export interface ApplicableWorkflow {
  workflow: WorkflowVersion
  /** Owner of the workflow. */
  organizationId: string
  /** 0 for the organization's own, 1 for its parent's, 2 for the grandparent's. */
  nearness: number
  /** True if the version has been recorded within the last day, see `workflow-versions.ts`. */
  isRecorded: boolean
  record: Workflow
}
