import type { Context } from '../../platform/context.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import { lineageSql, pathOf, tenantSql } from '../../platform/db/tenancy.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { Skill, type CreateSkillInput, type UpdateSkillInput } from './skill.js'

/** Maximum number per organization: administrators choose from all of them. */
const SKILLS_PER_ORGANIZATION_MAX = 1_000

/** @throws NotFound naming `organization`; Unprocessable if the name is in use, or at the limit; BadUserInput */
export function createSkill(ctx: Context, transact: Transact, input: CreateSkillInput): Promise<Skill> {
  const name = parseName(input.name, 'name')
  return withUniqueName(name, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      await checkNumber(tx, Skill, { organization: path.at(-1)!, max: SKILLS_PER_ORGANIZATION_MAX, noun: 'skills' })
      const skill = await insertOwned(ctx, tx, Skill, { path, name })
      emitSkill(tx, skill, 'created')
      return skill
    }),
  )
}

/** @throws as {@link createSkill}; NotFound */
export function updateSkill(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateSkillInput },
): Promise<Skill> {
  refuseCleared(patch, 'name')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  return withUniqueName(String(name), () =>
    transact(ctx, async (tx) => {
      const skill = await fetchRecord(ctx, Skill, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
      if (name !== undefined) skill.name = name
      markChanged(skill, ctx.now())
      await tx.em.flush()
      emitSkill(tx, skill, 'updated')
      return skill
    }),
  )
}

/**
 * Deletes a skill that nobody has, no rule asks for and no waiting conversation needs: taking it from users unasked would leave
 * conversations that ask for it without anybody. The row lock orders the deletion and users who are being given the skill.
 * @throws NotFound; Unprocessable with the number of users who have it, a workflow, or the number of conversations
 */
export function deleteSkill(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const skill = await fetchRecord(ctx, Skill, id, { em: tx.em, lock: true })
    const [held] = await tx.query<{ users: number }>(
      'select count(*)::int as users from staff_skill where skill_id = $1',
      [skill.id],
    )
    const { users } = held!
    if (users > 0) {
      throw new Unprocessable(
        `skill ${skill.id} is in use: ${users} ${users === 1 ? 'user has' : 'users have'} it; take it from them first`,
        { reason: 'IN_USE', users },
      )
    }
    await requireUnnamed(ctx, tx, skill)
    await requireNotAsked(tx, skill)
    emitSkill(tx, skill, 'deleted')
    tx.em.remove(skill)
    return true
  })
}

/** Refuses to delete a skill for which something waits: it would be offered to nobody. @throws Unprocessable */
async function requireNotAsked(tx: WriteTx, { id, org1 }: Skill): Promise<void> {
  const [asked] = await tx.query<{ conversations: number }>(
    `select count(*)::int as conversations from conversation c where c.org1 = $1 and c.status = 'queued'
       and (c.needs -> 'askedSkills' ? $2::text or c.needs -> 'skills' ? $2::text)`,
    [org1, id],
  )
  const { conversations } = asked!
  if (conversations === 0) return
  const wait = conversations === 1 ? '1 conversation waits' : `${conversations} conversations wait`
  throw new Unprocessable(`skill ${id} is in use: ${wait} for somebody who has it`, { reason: 'IN_USE', conversations })
}

/**
 * A workflow of an organization above or below may ask for the skill. It is named only to callers who may see it.
 * @throws Unprocessable
 */
async function requireUnnamed(ctx: Context, tx: WriteTx, skill: Skill): Promise<void> {
  const values: unknown[] = [skill.org1, skill.id]
  const visible = tenantSql(ctx.tenant, 'w', values)
  const [named] = await tx.query<{ id: string; name: string; visible: boolean }>(
    `select id, name, ${visible} as visible from workflow w where org1 = $1 and rules::text like '%' || $2::text || '%'
       and ${lineageSql(pathOf(skill), 'w', values)} order by visible desc, id limit 1`,
    values,
  )
  if (!named) return
  const inUse = `skill ${skill.id} is in use`
  if (!named.visible)
    throw new Unprocessable(`${inUse}: a workflow of an organization above asks for it`, { reason: 'IN_USE' })
  throw new Unprocessable(`${inUse}: the workflow ${quoteValue(named.name)} asks for it`, {
    reason: 'IN_USE',
    workflow: named.id,
  })
}

async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'skill_name')) throw error
    throw new Unprocessable(`the organization has a skill named ${quoteValue(name)} already`, {
      reason: 'NAME_TAKEN',
      field: 'name',
    })
  }
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'skill', Pick<Skill, 'name'>> {}
}

function emitSkill(tx: WriteTx, { id, organizationId, name }: Skill, what: RecordChange): void {
  tx.emit(organizationStream(organizationId), `skill.${what}`, { id, organization: organizationId, name })
}
