import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { Transact } from '../../platform/events/transact.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import type { FourEyesGuard, Guarded } from './four-eyes-guard.js'
import { FourEyes, SetFourEyesInput } from './four-eyes-settings.js'
import {
  PendingChangeConnection,
  PendingChangeFilter,
  pendingChangeList,
  PendingChangeOrder,
} from './pending-change-list.js'
import { PendingChange } from './pending-change.js'
import { readFourEyes } from './read-four-eyes.js'
import { refuseChange, withdrawChange } from './refuse-change.js'
import { SET_FOUR_EYES } from './set-four-eyes.js'

@Resolver(() => PendingChange)
export class FourEyesResolver {
  readonly #set: Guarded<SetFourEyesInput, FourEyes>

  constructor(
    private readonly transact: Transact,
    private readonly guard: FourEyesGuard,
  ) {
    this.#set = guard.guard('setFourEyes', SET_FOUR_EYES)
  }

  @Authorized('fourEyes.fetch')
  @Query(() => FourEyes, { description: 'The areas in which a change of the caller waits for a second administrator.' })
  fourEyes(@Ctx() ctx: Context): Promise<FourEyes> {
    return readFourEyes(ctx)
  }

  @Authorized('pendingChange.fetch')
  @Query(() => PendingChange, {
    nullable: true,
    description: 'A change that waits for a second administrator, also once it is decided.',
  })
  pendingChange(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<PendingChange> {
    return fetchRecord(ctx, PendingChange, id)
  }

  @Authorized('pendingChange.list')
  @Query(() => PendingChangeConnection, {
    description:
      "Changes that administrators of the caller's organization and those below it have proposed, decided ones too, the newest first.",
  })
  pendingChanges(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => PendingChangeFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [PendingChangeOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<PendingChange>> {
    return listPage(ctx, pendingChangeList, { args, filter, orderBy })
  }

  @Authorized('fourEyes.update')
  @Mutation(() => FourEyes, {
    description:
      'Sets the areas that need two administrators; by administrators of an organization of level 1. Refused is to guard an area while nobody ' +
      'else there could approve (`WOULD_LOCK_OUT`). To guard one no more needs another administrator itself.',
  })
  setFourEyes(@Ctx() ctx: Context, @Arg('input', () => SetFourEyesInput) input: SetFourEyesInput): Promise<FourEyes> {
    return this.#set(ctx, input)
  }

  @Authorized('pendingChange.decide')
  @Mutation(() => PendingChange, {
    description:
      'Approves a change and carries it out. By another administrator than the one who proposed it (`SAME_USER`), in person: not with an API ' +
      'token. Both must be allowed to make it now; what refuses the change itself refuses the approval. Repeating it returns the same change.',
  })
  approveChange(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<PendingChange> {
    return this.guard.approve(ctx, id)
  }

  @Authorized('pendingChange.decide')
  @Mutation(() => PendingChange, { description: 'Refuses a change that another administrator has proposed, for good.' })
  refuseChange(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('comment', () => String, {
      nullable: true,
      description: 'Ground, at most 500 characters. It should name no consumer: it stays.',
    })
    comment?: string | null,
  ): Promise<PendingChange> {
    return refuseChange(ctx, this.transact, { id, comment: comment ?? null })
  }

  @Authorized('pendingChange.decide')
  @Mutation(() => PendingChange, { description: 'Takes back a change that the caller has proposed.' })
  withdrawChange(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<PendingChange> {
    return withdrawChange(ctx, this.transact, id)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Organization of whoever proposed it.' })
  organization(@Root() { organizationId }: PendingChange, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() change: PendingChange): string {
    return pathText(change)
  }
}
