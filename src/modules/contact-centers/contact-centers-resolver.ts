import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import type { PasswordLinks } from '../auth/password-links.js'
import { SignInLink } from '../auth/sign-in-link.js'
import { countUsedOf } from '../organizations/quotas.js'
import { ContactCenter, ContactCenterQuotas, ContactCenterUsage } from './contact-center.js'
import { CreateContactCenterInput, UpdateContactCenterInput } from './contact-center-input.js'
import {
  ContactCenterConnection,
  ContactCenterFilter,
  contactCenterList,
  ContactCenterOrder,
  fetchCenter,
} from './contact-center-list.js'
import { createContactCenter } from './create-contact-center.js'
import { invitationOf } from './invitation.js'
import { archiveContactCenter, reopenContactCenter, updateContactCenter } from './update-contact-center.js'

const usageLoader: LoaderDefinition<ContactCenterUsage> = {
  load: (ctx, ids) => countUsedOf(ctx.reads, ids),
}

@Resolver(() => ContactCenter)
export class ContactCentersResolver {
  constructor(private readonly dependencies: { transact: Transact; links: PasswordLinks }) {}

  @Authorized('contactCenter.fetch')
  @Query(() => ContactCenter, { nullable: true, description: 'For the operator: by `OPERATOR_TOKEN`.' })
  contactCenter(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ContactCenter> {
    return fetchCenter(ctx.reads, id)
  }

  @Authorized('contactCenter.list')
  @Query(() => ContactCenterConnection, { description: 'For the operator: by `OPERATOR_TOKEN`.' })
  contactCenters(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ContactCenterFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ContactCenterOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<ContactCenter>> {
    return listPage(ctx, contactCenterList, { args, filter, orderBy })
  }

  @Authorized('contactCenter.create')
  @Mutation(() => ContactCenter, {
    description:
      'Creates a contact center, and mails its owner an invitation; `invitation` is the same, to be handed over.',
  })
  createContactCenter(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateContactCenterInput) input: CreateContactCenterInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ContactCenter> {
    return idempotently(ctx, { key, operation: 'createContactCenter', input }, () =>
      createContactCenter(ctx, this.dependencies.transact, input),
    )
  }

  @Authorized('contactCenter.update')
  @Mutation(() => ContactCenter, { description: 'A quota below what there is refuses only what is added.' })
  updateContactCenter(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateContactCenterInput) patch: UpdateContactCenterInput,
  ): Promise<ContactCenter> {
    return updateContactCenter(ctx, this.dependencies.transact, { id, patch })
  }

  @Authorized('contactCenter.archive')
  @Mutation(() => ContactCenter, {
    description:
      'Ends all access to a contact center, its webhooks, and what consumers send to it; its jobs wait. Nothing is deleted.',
  })
  archiveContactCenter(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ContactCenter> {
    return archiveContactCenter(ctx, this.dependencies.transact, id)
  }

  @Authorized('contactCenter.archive')
  @Mutation(() => ContactCenter, { description: 'Takes an archived contact center into use again, as it was.' })
  reopenContactCenter(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ContactCenter> {
    return reopenContactCenter(ctx, this.dependencies.transact, id)
  }

  @FieldResolver(() => ContactCenterQuotas, { description: 'Bounds that the operator has set.' })
  quotas(@Root() center: ContactCenter): ContactCenterQuotas {
    const { usersMax: users, organizationsMax: organizations } = center
    const { guestMessagesPerMinute, guestUploadMebibytesPerDay } = center
    return { users, organizations, guestMessagesPerMinute, guestUploadMebibytesPerDay }
  }

  @FieldResolver(() => ContactCenterUsage, { description: 'Numbers that quotas are compared with.' })
  async usage(@Root() { id }: ContactCenter, @Ctx() ctx: Context): Promise<ContactCenterUsage> {
    return (await ctx.loader(usageLoader).load(id)) ?? { users: 0, organizations: 0 }
  }

  @FieldResolver(() => SignInLink, {
    nullable: true,
    description: 'Link by which the first owner chooses a password; null once anybody could have signed in.',
  })
  invitation(@Root() center: ContactCenter): Promise<SignInLink | null> {
    return invitationOf(this.dependencies.links, center)
  }
}
