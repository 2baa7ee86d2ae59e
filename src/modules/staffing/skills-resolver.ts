import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { SkillConnection, SkillFilter, skillList, SkillOrder } from './skill-list.js'
import { createSkill, deleteSkill, updateSkill } from './skill-writes.js'
import { CreateSkillInput, Skill, UpdateSkillInput } from './skill.js'

@Resolver(() => Skill)
export class SkillsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('skill.fetch')
  @Query(() => Skill, { nullable: true, description: 'A skill of an organization that the caller sees.' })
  skill(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Skill> {
    return fetchRecord(ctx, Skill, id)
  }

  @Authorized('skill.list')
  @Query(() => SkillConnection, { description: "The skills of the caller's organization and of those below it." })
  skills(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => SkillFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [SkillOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Skill>> {
    return listPage(ctx, skillList, { args, filter, orderBy })
  }

  @Authorized('skill.create')
  @Mutation(() => Skill, { description: 'Creates a skill. An organization can have at most 1000.' })
  createSkill(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateSkillInput) input: CreateSkillInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Skill> {
    return idempotently(ctx, { key, operation: 'createSkill', input }, () => createSkill(ctx, this.transact, input))
  }

  @Authorized('skill.update')
  @Mutation(() => Skill, { description: 'Updates a skill. Only the given keys change.' })
  updateSkill(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateSkillInput) patch: UpdateSkillInput,
  ): Promise<Skill> {
    return updateSkill(ctx, this.transact, { id, patch })
  }

  @Authorized('skill.delete')
  @Mutation(() => ID, { description: 'Deletes a skill. UNPROCESSABLE while a user has it, or a rule asks for it.' })
  async deleteSkill(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteSkill(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Skill, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
