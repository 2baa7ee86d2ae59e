import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseInteger, parseList, refuseCleared } from '../../platform/input.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import type { AgentState } from './agent-state.js'
import { CAPACITY, SKILLS_MAX, type UpdateStaffInput } from './availability.js'
import { emitAgent } from './staff-events.js'
import { STAFF_CHANGED } from './staff-changed.js'
import { lockStaff } from './staff-row.js'

/**
 * Changes an agent's capacity and skills; `skills` replaces all.
 * @throws BadUserInput; NotFound naming `user` or `skills[0]`
 */
export function updateStaff(
  ctx: Context,
  transact: Transact,
  { user, patch }: { user: string; patch: UpdateStaffInput },
): Promise<AgentState> {
  refuseCleared(patch, 'capacity')
  const capacity = patch.capacity === undefined ? undefined : parseInteger(patch.capacity, 'capacity', 0, CAPACITY.max)
  const wanted = patch.skills === undefined ? undefined : namedSkills(patch.skills ?? [])
  return transact(ctx, async (tx) => {
    const { organization, agent } = await lockStaff(ctx, tx, user)
    if (wanted) await replaceSkills(ctx, tx, agent.userId, wanted)
    if (capacity !== undefined) {
      await tx.query('update staff set capacity = $2 where user_id = $1', [agent.userId, capacity])
      agent.capacity = capacity
    }
    const skills = await tx.query<{ id: string }>(
      'select skill_id as id from staff_skill where user_id = $1 order by skill_id',
      [agent.userId],
    )
    tx.emit(organizationStream(organization), 'staff.updated', {
      id: agent.userId,
      organization,
      capacity: agent.capacity,
      skills: skills.map(({ id }) => id),
    })
    tx.addJob(STAFF_CHANGED.create({ user: agent.userId }))
    await emitAgent(tx, agent)
    return agent
  })
}

function namedSkills(given: unknown): NamedId[] {
  return parseList(given, 'skills', SKILLS_MAX).map((id, index) => ({ id: String(id), field: `skills[${index}]` }))
}

/** Skills that the user has and the caller does not see stay. @throws NotFound naming the skill */
async function replaceSkills(ctx: Context, tx: WriteTx, user: string, wanted: readonly NamedId[]): Promise<void> {
  // Orders this and the deletion of a skill: either the deletion is refused, or the skill is not found.
  await tx.query('select id from skill where id = any($1::uuid[]) order by id for share', [
    wanted.map(({ id }) => id).filter(isId),
  ])
  const skills = [...new Set(await requireVisible(ctx, tx, wanted, { name: 'Skill', table: 'skill' }))]
  const values: unknown[] = [user, skills]
  await tx.query(
    `delete from staff_skill h using skill t
     where h.user_id = $1 and t.id = h.skill_id and h.skill_id <> all($2::uuid[]) and ${tenantSql(ctx.tenant, 't', values)}`,
    values,
  )
  await tx.query('insert into staff_skill (user_id, skill_id) select $1, unnest($2::uuid[]) on conflict do nothing', [
    user,
    skills,
  ])
}
