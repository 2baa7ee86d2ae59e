import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { pathText } from '../../../platform/db/tenancy.js'
import type { Transact } from '../../../platform/events/transact.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { isAbsent } from '../../../platform/input.js'
import { ConnectionArgs, type Page } from '../../../platform/lists/connection.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { Contact } from '../../contacts/contact.js'
import { Organization, organizationLoader } from '../../organizations/organization.js'
import { User } from '../../users/user.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { ContactExportConnection, contactExportList } from './contact-export-list.js'
import { ContactExport } from './contact-export.js'
import type { ExportLinks } from './export-links.js'
import { requestExport } from './request-export.js'

@Resolver(() => ContactExport)
export class ContactExportsResolver {
  constructor(private readonly options: { transact: Transact; links: ExportLinks }) {}

  @Authorized('contact.export')
  @Mutation(() => ContactExport, {
    description:
      'Exports what is kept of a contact, for the person who asks for it: a job writes a ZIP, which can be downloaded for 7 days. ' +
      'One that is being written, and has the same, is returned instead.',
  })
  exportContact(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('notes', () => Boolean, {
      defaultValue: false,
      description: 'Adds what only the team sees: notes about the contact, and back-channel messages.',
    })
    notes: boolean,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ContactExport> {
    const input = { id, notes }
    return idempotently(ctx, { key, operation: 'exportContact', input }, () =>
      requestExport(ctx, this.options.transact, input),
    )
  }

  @Authorized('contactExport.fetch')
  @Query(() => ContactExport, { nullable: true, description: 'An export of a contact that the caller sees.' })
  contactExport(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ContactExport> {
    return fetchRecord(ctx, ContactExport, id)
  }

  @Authorized('contactExport.list')
  @Query(() => ContactExportConnection, {
    description:
      'Exports of a contact, or of all contacts that the caller sees, newest first, also those whose file is gone.',
  })
  async contactExports(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('contact', () => ID, { nullable: true, description: 'The consumer; absent: all.' }) contact?: string | null,
  ): Promise<Page<ContactExport>> {
    if (isAbsent(contact)) return listPage(ctx, contactExportList, { args })
    const { id } = await fetchRecord(ctx, Contact, contact, { field: 'contact' })
    const restrict = (values: unknown[]): string => `t.contact_id = $${values.push(id)}`
    return listPage(ctx, contactExportList, { args, restrict })
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Address at which the caller, whom it names, can download it without credentials until `expiresAt`; null unless it is ready. ' +
      'Each download is in the audit log.',
  })
  url(@Root() { id, status, expiresAt }: ContactExport, @Ctx() ctx: Context): string | null {
    if (status !== 'ready' || !expiresAt) return null
    return this.options.links.urlOf(id, ctx.userCaller.user, new Date(expiresAt))
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user who asked for it; null if deleted.' })
  requestedBy(@Root() { requestedById }: ContactExport, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(requestedById)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: ContactExport, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() exported: ContactExport): string {
    return pathText(exported)
  }
}
