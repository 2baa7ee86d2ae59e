import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import {
  ContactErasureConnection,
  ContactErasureFilter,
  contactErasureList,
  ContactErasureOrder,
} from './contact-erasure-list.js'
import { ContactErasure, ErasureReasonEnum, type ErasureReason } from './contact-erasure.js'
import { eraseContact, type EraseContactDependencies } from './erase-contact.js'
import { HoldName } from '../holds/hold.js'
import { contactToErase } from './contact-to-erase.js'
import { holdsOnContacts } from './holds-on-contacts.js'
import { LINES_MAX, readLines } from './erasure-lines.js'

const LINES_DEFAULT = 1_000

@ObjectType({ simpleResolvers: true, description: 'Erasures as lines of JSON, for keeping them elsewhere.' })
class ErasureLines {
  @Field(() => String, {
    description: 'A line each: the ids of the erasure, the contact and the organization, the reason and the time.',
  })
  lines!: string

  @Field(() => ID, { nullable: true, description: 'Id of the last one; null if there is none.' }) last!: string | null
}

@Resolver(() => ContactErasure)
export class ContactErasuresResolver {
  readonly #erase: Guarded<{ id: string; reason: ErasureReason }, ContactErasure>

  constructor({ accessChanges }: Pick<EraseContactDependencies, 'accessChanges'>, fourEyes: FourEyesGuard) {
    this.#erase = fourEyes.guard('eraseContact', {
      area: 'erasure',
      permission: 'contact.delete',
      act: (ctx, transact, { id, reason }) => eraseContact(ctx, { transact, accessChanges }, id, reason),
      propose: async (ctx, input) => ({ input, object: await contactToErase(ctx, input.id) }),
    })
  }

  @Authorized('contact.delete')
  @Mutation(() => ContactErasure, {
    description:
      'Erases the contact with all its conversations, whatever their status. It is emptied at once, and what its addresses send from ' +
      'then on is a new contact’s; offers are withdrawn, and its conversations, copies, events, webhooks and files go within minutes, also ' +
      'after a restart. If a legal hold keeps it or one of its conversations, nothing is erased yet: the erasure is BLOCKED, and goes on by ' +
      'itself when the last hold is released. Repeating it returns the same erasure.',
  })
  eraseContact(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('reason', () => ErasureReasonEnum, { description: 'Ground on which the erasure is demanded.' })
    reason: ErasureReason,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ContactErasure> {
    const input = { id, reason }
    return this.#erase(ctx, input, { key, input })
  }

  @Authorized('erasure.fetch')
  @Query(() => ContactErasure, { nullable: true, description: 'The erasure of a contact, also once it is done.' })
  contactErasure(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ContactErasure> {
    return fetchRecord(ctx, ContactErasure, id)
  }

  @Authorized('erasure.list')
  @Query(() => ContactErasureConnection, {
    description: "Erasures of contacts of the caller's organization and those below it, the newest first.",
  })
  contactErasures(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ContactErasureFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ContactErasureOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<ContactErasure>> {
    return listPage(ctx, contactErasureList, { args, filter, orderBy })
  }

  @Authorized('erasure.list')
  @Query(() => ErasureLines, {
    description:
      'The list of erasures that is kept elsewhere: a restore of an older backup brings the erased back, and ' +
      '`npm run restore -- FOLDER --erasures FILE` erases them again. The webhook event `contact.erased` has the same lines.',
  })
  erasureLines(
    @Ctx() ctx: Context,
    @Arg('since', () => DateTime, { nullable: true, description: 'Only those demanded since then.' })
    since?: Date | null,
    @Arg('after', () => ID, { nullable: true, description: 'Id of the erasure before the first.' })
    after?: string | null,
    @Arg('limit', () => Int, { defaultValue: LINES_DEFAULT, description: `At most ${LINES_MAX}.` }) limit?: number,
  ): Promise<ErasureLines> {
    return readLines(ctx, { since: since ?? null, after: after ?? null, limit: limit! })
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: ContactErasure, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => [HoldName], {
    description:
      'The holds that block it, in the order in which they were made; also those of an organization above. Empty unless it is blocked.',
  })
  async blockedBy(@Root() { status, contactId }: ContactErasure, @Ctx() ctx: Context): Promise<HoldName[]> {
    return (status === 'blocked' && (await ctx.loader(holdsOnContacts).load(contactId))) || []
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() erasure: ContactErasure): string {
    return pathText(erasure)
  }
}
