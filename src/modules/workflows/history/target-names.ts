import type { Context } from '../../../platform/context.js'
import { userProfileLoader } from '../../users/user-profile.js'
import type { RuleDefinition } from '../rule-definition.js'
import type { Workflow } from '../workflow.js'
import type { NameOf } from './diff-words.js'
import { namesOf, targetsOf } from './record-change.js'

/**
 * Returns names of the channels, skills and users that rules name: the present ones of those that the caller sees, else
 * those that were stored, else ids.
 * @param stored names of channels and skills at the time of a change, which may have been deleted since
 */
export async function nameTargets(
  ctx: Context,
  workflow: Workflow,
  rules: readonly RuleDefinition[],
  stored: Readonly<Record<string, string>>,
): Promise<NameOf> {
  const users = [...new Set(rules.flatMap(({ event }) => event.params.users ?? []))]
  const loader = ctx.loader(userProfileLoader)
  const [present, profiles] = await Promise.all([
    namesOf(ctx.reads, workflow, targetsOf({ rules })),
    Promise.all(users.map((id) => loader.load(id))),
  ])
  const names = new Map([
    ...Object.entries(stored),
    ...present,
    ...profiles.flatMap((profile) => (profile ? [[profile.id, profile.displayName] as const] : [])),
  ])
  return (id) => names.get(id) ?? id
}
