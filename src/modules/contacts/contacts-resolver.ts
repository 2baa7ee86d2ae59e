import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { ContactConnection, ContactFilter, contactList, ContactOrder } from './contact-list.js'
import { Contact, CreateContactInput, UpdateContactInput } from './contact.js'
import { createContact } from './create-contact.js'
import { updateContact } from './update-contact.js'

@Resolver(() => Contact)
export class ContactsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('contact.fetch')
  @Query(() => Contact, { nullable: true, description: 'A contact of an organization that the caller sees.' })
  contact(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Contact> {
    return fetchRecord(ctx, Contact, id)
  }

  @Authorized('contact.list')
  @Query(() => ContactConnection, { description: "Contacts of the caller's organization and those below it." })
  contacts(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ContactFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ContactOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Contact>> {
    return listPage(ctx, contactList, { args, filter, orderBy })
  }

  @Authorized('contact.create')
  @Mutation(() => Contact, {
    description:
      'Creates a contact. UNPROCESSABLE if the organization has a contact with this email or telephone: `extensions.contact` is its ' +
      'id, `extensions.conversation` that of its newest conversation.',
  })
  createContact(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateContactInput) input: CreateContactInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Contact> {
    return idempotently(ctx, { key, operation: 'createContact', input }, () => createContact(ctx, this.transact, input))
  }

  @Authorized('contact.update')
  @Mutation(() => Contact, {
    description: 'Updates a contact. A given profile replaces the stored one; errors as in `createContact`.',
  })
  updateContact(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateContactInput) patch: UpdateContactInput,
  ): Promise<Contact> {
    return updateContact(ctx, this.transact, { id, patch })
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() contact: Contact, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(contact.organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() contact: Contact): string {
    return pathText(contact)
  }
}
