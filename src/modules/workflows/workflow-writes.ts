import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { refuseOutdated } from './drafts/refuse-publication.js'
import { fetchWorkflow, isExternalId } from './fetch-workflow.js'
import { recordChange, stateOf, type ChangeCause } from './history/record-change.js'
import { fieldOf } from './rule-input.js'
import { parseRules } from './rule.js'
import type { RuleDefinition } from './rule-definition.js'
import {
  readComment,
  type CreateWorkflowInput,
  type UpdateWorkflowInput,
  type WorkflowRuleInput,
} from './workflow-input.js'
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
 * @param comment for its history
 * @throws Unprocessable for an id that is in use; NotFound naming the field of a channel, user, organization or group
 *   that the caller does not see; BadUserInput naming the part of a rule
 */
export async function createWorkflow(
  ctx: Context,
  transact: Transact,
  input: CreateWorkflowInput,
  comment: string | null = null,
): Promise<Workflow> {
  const { id, externalId } = idsOf(ctx, input)
  const name = isAbsent(input.name) ? null : parseName(input.name, 'name')
  try {
    return await transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      const workflow = await insertOwned(ctx, tx, Workflow, {
        path,
        id,
        externalId,
        name,
        organizations: await readOrganizations(ctx, tx, input.organizations ?? null),
        organizationTags: await readOrganizationTags(ctx, tx, input.organizationTags ?? null),
        rules: await readRules(ctx, tx, input.rules ?? [], { path, stored: [] }),
      })
      await checkWorkflowBounds(tx, workflow.organizationId)
      await recordChange(tx, workflow, null, { kind: 'created', user: userOf(ctx), comment })
      emitWorkflow(tx, workflow, 'created')
      return workflow
    })
  } catch (error) {
    if (isUniqueViolation(error, 'workflow_pkey')) {
      throw new Unprocessable(`a workflow with the id ${id} already exists`, {
        reason: 'ID_TAKEN',
        field: fieldOfId(input),
      })
    }
    if (!isUniqueViolation(error, 'workflow_external_id')) throw error
    throw new Unprocessable(`a workflow with the _id ${externalId} already exists`, {
      reason: 'ID_TAKEN',
      field: '_id',
    })
  }
}

/** Changes the given fields; `rules` replaces all rules. @throws as {@link createWorkflow}; NotFound also for `id` */
export function updateWorkflow(
  ctx: Context,
  transact: Transact,
  { id, patch, comment }: { id: string; patch: UpdateWorkflowInput; comment?: string | null | undefined },
): Promise<Workflow> {
  const cause = { kind: 'updated' as const, comment: readComment(comment) }
  return changeWorkflow(ctx, transact, { id, ifVersion: patch.ifVersion, cause }, async (tx, workflow) => {
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

/** Deletes a workflow and returns its id. Conversations that it has queued continue with its delayed rules. @throws NotFound */
export function deleteWorkflow(ctx: Context, transact: Transact, id: string): Promise<string> {
  return transact(ctx, async (tx) => {
    const workflow = await fetchWorkflow(ctx, id, { em: tx.em, lock: true })
    emitWorkflow(tx, workflow, 'deleted')
    tx.em.remove(workflow)
    return workflow.id
  })
}

interface Changed {
  id: string
  /** The version that it must have, if any. */
  ifVersion?: number | null | undefined
  cause?: Omit<ChangeCause, 'user'>
}

/** Runs a change of a workflow under its row lock, and stores it in its history. */
export function changeWorkflow<T>(
  ctx: Context,
  transact: Transact,
  { id, ifVersion, cause = { kind: 'updated' } }: Changed,
  change: (tx: WriteTx, workflow: Workflow) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    const workflow = await fetchWorkflow(ctx, id, { em: tx.em, lock: true, ifVersion })
    return applyChange(ctx, tx, workflow, { ...cause, user: userOf(ctx) }, () => change(tx, workflow))
  })
}

/** Changes a workflow whose row is locked, and stores the change in its history. */
export async function applyChange<T>(
  ctx: Context,
  tx: WriteTx,
  workflow: Workflow,
  cause: ChangeCause,
  change: () => Promise<T>,
): Promise<T> {
  const before = stateOf(workflow)
  const result = await change()
  markChanged(workflow, ctx.now())
  await tx.em.flush()
  await checkWorkflowBounds(tx, workflow.organizationId)
  await recordChange(tx, workflow, before, cause)
  if (workflow.rules !== before.rules) await refuseOutdated(ctx, tx, workflow)
  emitWorkflow(tx, workflow, 'updated')
  return result
}

/** The user who makes the change; null for the system. */
function userOf({ maybeCaller }: Context): string | null {
  return maybeCaller?.kind === 'user' ? maybeCaller.user : null
}

interface ClientIds {
  id?: string | null
  _id?: string | null
}

/** Returns the ids of a new workflow: an `_id` that is no UUID is kept beside an id of our own (2.7). @throws BadUserInput */
function idsOf(ctx: Context, input: ClientIds): { id: string; externalId: string } {
  const { id: plain, _id: exported } = input
  if (!isAbsent(plain) && !isId(plain)) throw new BadUserInput('id', `id must be a UUID, not ${quoteValue(plain)}`)
  const given = isAbsent(exported) ? plain : exported
  if (isAbsent(given) || isId(given)) {
    const id = clientId(input, '') ?? ctx.newId()
    return { id, externalId: id }
  }
  return { id: plain?.toLowerCase() ?? ctx.newId(), externalId: parseExternalId(given, '_id') }
}

/**
 * Returns the id that a client gives a record, as `id` or `_id`; undefined if there is none. UUIDs are in lower case.
 * @throws BadUserInput for two different ones, and for one that {@link isExternalId} refuses
 */
export function clientId(input: ClientIds, field: string): string | undefined {
  const { id: plain, _id: legacy } = input
  const given = plain ?? legacy
  if (isAbsent(given)) return undefined
  const id = parseExternalId(given, fieldOf(field, fieldOfId(input)))
  if (!isAbsent(legacy) && legacy !== given) {
    const at = fieldOf(field, 'id')
    throw new BadUserInput(at, `${at} ${quoteValue(id)} and ${fieldOf(field, '_id')} ${quoteValue(legacy)} differ`)
  }
  return id
}

function fieldOfId({ id }: ClientIds): 'id' | '_id' {
  return isAbsent(id) ? '_id' : 'id'
}

function parseExternalId(given: string, field: string): string {
  if (isId(given)) return given.toLowerCase()
  if (isExternalId(given)) return given
  const shape = 'a UUID or 1 to 64 letters, digits, "-" and "_"'
  throw new BadUserInput(field, `${field} must be ${shape}, not ${quoteValue(given)}`)
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

declare module '../../platform/events/event.js' {
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
