import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { pathOf } from '../db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../events/event.js'
import type { Transact, WriteTx } from '../events/transact.js'
import { isAbsent } from '../input.js'
import { isUniqueViolation } from '../limits/idempotency.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { fieldOf } from './rule-input.js'
import { parseRules } from './rule.js'
import type { RuleDefinition } from './rule-definition.js'
import type { CreateWorkflowInput, UpdateWorkflowInput, WorkflowRuleInput } from './workflow-input.js'
import {
  checkRuleTargets,
  readOrganizations,
  readOrganizationTags,
  type ReferenceScope,
} from './workflow-references.js'
import { checkWorkflowBounds } from './workflow-bounds.js'
import { Workflow } from './workflow.js'

/**
 * Creates a workflow with its rules (4.5), with the client's id if given (2.7).
 * @throws Unprocessable for an id that is in use; NotFound naming the field of a channel, user, organization or group
 *   that the caller does not see; BadUserInput naming the part of a rule
 */
export async function createWorkflow(ctx: Context, transact: Transact, input: CreateWorkflowInput): Promise<Workflow> {
  const id = clientId(input, '') ?? ctx.newId()
  const name = isAbsent(input.name) ? null : parseName(input.name, 'name')
  try {
    return await transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      const workflow = await insertOwned(ctx, tx, Workflow, {
        path,
        id,
        name,
        organizations: await readOrganizations(ctx, tx, input.organizations ?? null),
        organizationTags: await readOrganizationTags(ctx, tx, input.organizationTags ?? null),
        rules: await readRules(ctx, tx, input.rules ?? [], { path, stored: [] }),
        version: 1,
      })
      await checkWorkflowBounds(tx, workflow.organizationId)
      emitWorkflow(tx, workflow, 'created')
      return workflow
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'workflow_pkey')) throw error
    throw new Unprocessable(`a workflow with the id ${id} already exists`, { field: 'id' })
  }
}

/** Changes the given fields; `rules` replaces all rules. @throws as {@link createWorkflow}; NotFound also for `id` */
export function updateWorkflow(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateWorkflowInput },
): Promise<Workflow> {
  return changeWorkflow(ctx, transact, id, async (tx, workflow) => {
    const { name, organizations, organizationTags, rules } = patch
    if (name !== undefined) workflow.name = name === null ? null : parseName(name, 'name')
    if (organizations !== undefined) {
      workflow.organizations = await readOrganizations(ctx, tx, organizations, workflow.organizations)
    }
    if (organizationTags !== undefined) {
      workflow.organizationTags = await readOrganizationTags(ctx, tx, organizationTags, workflow.organizationTags)
    }
    if (rules !== undefined) {
      const scope = { path: pathOf(workflow), stored: workflow.rules }
      workflow.rules = await readRules(ctx, tx, rules ?? [], scope)
    }
    return workflow
  })
}

/** Deletes a workflow. Conversations that it has queued continue with its delayed rules. @throws NotFound */
export function deleteWorkflow(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const workflow = await fetchRecord(ctx, Workflow, id, { em: tx.em, lock: true })
    emitWorkflow(tx, workflow, 'deleted')
    tx.em.remove(workflow)
    return true
  })
}

/** Runs a change of a workflow under its row lock and increments the version. */
export function changeWorkflow<T>(
  ctx: Context,
  transact: Transact,
  id: string,
  change: (tx: WriteTx, workflow: Workflow) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    const workflow = await fetchRecord(ctx, Workflow, id, { em: tx.em, lock: true })
    const result = await change(tx, workflow)
    workflow.version++
    workflow.updatedAt = ctx.now()
    await checkWorkflowBounds(tx, workflow.organizationId)
    emitWorkflow(tx, workflow, 'updated')
    return result
  })
}

/**
 * Returns the id that a client gives a record, as `id` or `_id`; undefined if there is none.
 * @throws BadUserInput for two different ones, and for one that is not a UUID
 */
export function clientId(
  { id: plain, _id: legacy }: { id?: string | null; _id?: string | null },
  field: string,
): string | undefined {
  const id = plain ?? legacy
  if (isAbsent(id)) return undefined
  const at = fieldOf(field, isAbsent(plain) ? '_id' : 'id')
  if (!isId(id)) throw new BadUserInput(at, `${at} must be a UUID, not ${quoteValue(id)}`)
  if (!isAbsent(legacy) && legacy !== id) {
    throw new BadUserInput(at, `${at} ${quoteValue(id)} and ${fieldOf(field, '_id')} ${quoteValue(legacy)} differ`)
  }
  return id.toLowerCase()
}

/** Parses a complete list of rules, each with an id. @throws BadUserInput, NotFound */
export async function readRules(
  ctx: Context,
  tx: Sql,
  given: readonly WorkflowRuleInput[],
  scope: ReferenceScope,
): Promise<RuleDefinition[]> {
  const rules = (await parseRules(given)).map((rule, index) => ({ rule, field: fieldOf('rules', index) }))
  const checked = await checkRuleTargets(ctx, tx, rules, scope)
  const taken = new Set<string>()
  return checked.map((rule, index) => {
    const field = fieldOf('rules', index)
    const id = clientId(given[index]!, field) ?? ctx.newId()
    if (taken.has(id)) throw new BadUserInput(fieldOf(field, 'id'), `${field}.id ${id} is the id of another rule`)
    taken.add(id)
    return { id, ...rule }
  })
}

/** Without the rules, which may be too large for a stream. */
type WorkflowData = Pick<Workflow, 'name' | 'organizations' | 'organizationTags' | 'version'>

declare module '../events/event.js' {
  interface EventTypes extends ResourceEvents<'workflow', WorkflowData> {}
}

function emitWorkflow(tx: WriteTx, workflow: Workflow, what: RecordChange): void {
  const { id, organizationId, name, organizations, organizationTags, version } = workflow
  tx.emit(organizationStream(organizationId), `workflow.${what}`, {
    id,
    organization: organizationId,
    name,
    organizations,
    organizationTags,
    version,
  })
}
