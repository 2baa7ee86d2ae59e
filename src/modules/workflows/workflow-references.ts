import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import { parseList, parseText } from '../../platform/input.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import { fieldOf } from './rule-input.js'
import type { NotifyParams, RuleDefinition } from './rule-definition.js'

const LIMITS_MAX = 1_000
const TAG_CHARS_MAX = 200

/** Context of a write: the workflow's organization, and the records that the stored workflow names. */
export interface ReferenceScope {
  path: OrganizationPath
  stored: readonly RuleDefinition[]
}

/**
 * Validates the channels, users and skills of rules: the caller must see them, and they must belong to the workflow's
 * organization, its ancestors or its descendants, so that no rule sends one customer's conversations to another.
 * References of the stored rules are accepted: a channel deleted since must not block changes of the workflow.
 * @returns the rules with ids in the database's form
 * @throws NotFound naming the field, such as `rules[0].event.params.channels[1]`
 */
export async function checkRuleTargets<R extends Omit<RuleDefinition, 'id'>>(
  ctx: Context,
  sql: Sql,
  rules: readonly { rule: R; field: string }[],
  { path, stored }: ReferenceScope,
): Promise<R[]> {
  await checkTargets('channels', { name: 'Channel', table: 'channel' })
  await checkTargets('users', { name: 'User', table: 'app_user' })
  await checkTargets('skills', { name: 'Skill', table: 'skill' })
  return rules.map(({ rule }) => ({
    ...rule,
    event: { ...rule.event, params: canonical(rule.event.params) },
  }))

  async function checkTargets(
    key: 'channels' | 'users' | 'skills',
    kind: { name: string; table: string },
  ): Promise<void> {
    const known = new Set(stored.flatMap(({ event }) => event.params[key] ?? []))
    const named: NamedId[] = []
    for (const { rule, field } of rules) {
      for (const [index, id] of (rule.event.params[key] ?? []).entries()) {
        if (known.has(id.toLowerCase())) continue
        named.push({ id, field: fieldOf(fieldOf(fieldOf(field, 'event.params'), key), index) })
      }
    }
    await requireVisible(ctx, sql, named, { ...kind, path })
  }
}

/**
 * Validates the organizations that limit a workflow, and removes duplicates. @throws NotFound naming
 * `organizations[0]`; BadUserInput
 */
export async function readOrganizations(
  ctx: Context,
  sql: Sql,
  given: readonly string[] | null,
  stored: readonly string[] | null = null,
): Promise<string[] | null> {
  if (given === null) return null
  const ids = parseList(given, 'organizations', LIMITS_MAX) as string[]
  await requireVisible(ctx, sql, unknownAmong(ids, stored, 'organizations'), {
    name: 'Organization',
    table: 'organization',
  })
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

/**
 * Validates the tags that limit a workflow, and removes duplicates; a UUID refers to an organization group (2.7).
 * @throws NotFound naming `organizationTags[0]` for a group that the caller does not see; BadUserInput
 */
export async function readOrganizationTags(
  ctx: Context,
  sql: Sql,
  given: readonly string[] | null,
  stored: readonly string[] | null = null,
): Promise<string[] | null> {
  if (given === null) return null
  const tags = parseList(given, 'organizationTags', LIMITS_MAX).map((tag, index) =>
    parseText(tag, `organizationTags[${index}]`, { min: 1, max: TAG_CHARS_MAX }),
  )
  const groups = unknownAmong(tags, stored, 'organizationTags').filter(({ id }) => isId(id))
  await requireVisible(ctx, sql, groups, { name: 'OrganizationGroup', table: 'organization_group' })
  return [...new Set(tags.map((tag) => (isId(tag) ? tag.toLowerCase() : tag)))]
}

function unknownAmong(ids: readonly string[], stored: readonly string[] | null, field: string): NamedId[] {
  return ids
    .map((id, index) => ({ id, field: `${field}[${index}]` }))
    .filter(({ id }) => !stored?.includes(id.toLowerCase()))
}

function canonical(params: NotifyParams): NotifyParams {
  const lower = (ids: string[]): string[] => ids.map((id) => id.toLowerCase())
  return {
    ...params,
    ...(params.channels && { channels: lower(params.channels) }),
    ...(params.users && { users: lower(params.users) }),
    ...(params.skills && { skills: lower(params.skills) }),
  }
}
