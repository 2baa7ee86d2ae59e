import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { ConnectionArgs, type Page } from '../../../platform/lists/connection.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { Contact, contactLoader } from '../contact.js'
import { linkedContacts } from '../linked-contacts.js'
import { ContactNoteConnection, contactNoteList, ofContacts } from './contact-note-list.js'
import { addContactNote, deleteContactNote, requireOf, updateContactNote } from './contact-note-writes.js'
import { ContactNote, TEXT, UpdateContactNoteInput } from './contact-note.js'

const OF_CONTACT = {
  nullable: true,
  description: 'The contact whose note it must be, else it is not found; by default that of any.',
} as const

@Resolver(() => ContactNote)
export class ContactNotesResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('contactNote.fetch')
  @Query(() => ContactNote, { nullable: true, description: 'A note of a contact that the caller sees.' })
  async contactNote(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('contact', () => ID, OF_CONTACT) contact?: string | null,
  ): Promise<ContactNote> {
    const note = await fetchRecord(ctx, ContactNote, id)
    await requireOf(ctx.reads, note, contact)
    return note
  }

  @Authorized('contactNote.list')
  @Query(() => ContactNoteConnection, {
    description:
      'Notes of a contact that the caller sees, newest first, with those of contacts that are the same person by a merge of their conversations.',
  })
  async contactNotes(
    @Ctx() ctx: Context,
    @Arg('contact', () => ID) contact: string,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
  ): Promise<Page<ContactNote>> {
    const { id } = await fetchRecord(ctx, Contact, contact, { field: 'contact' })
    const contacts = await linkedContacts(ctx.reads, id)
    return listPage(ctx, contactNoteList, { args, restrict: ofContacts(contacts) })
  }

  @Authorized('contactNote.create')
  @Mutation(() => ContactNote, {
    description:
      'Notes something about a contact, which has at most 1,000 notes. Nothing of it is shown to the contact.',
  })
  addContactNote(
    @Ctx() ctx: Context,
    @Arg('contact', () => ID) contact: string,
    @Arg('text', () => String, { description: TEXT }) text: string,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ContactNote> {
    const input = { contact, text }
    return idempotently(ctx, { key, operation: 'addContactNote', input }, () =>
      addContactNote(ctx, this.transact, input),
    )
  }

  @Authorized('contactNote.update')
  @Mutation(() => ContactNote, {
    description: "Changes a note of the caller's own; with the scope admin, anybody's, which the audit log tells.",
  })
  updateContactNote(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateContactNoteInput) patch: UpdateContactNoteInput,
    @Arg('contact', () => ID, OF_CONTACT) contact?: string | null,
  ): Promise<ContactNote> {
    return updateContactNote(ctx, this.transact, { id, contact, patch })
  }

  @Authorized('contactNote.delete')
  @Mutation(() => ID, {
    description: "Deletes a note of the caller's own; with the scope admin, anybody's, which the audit log tells.",
  })
  deleteContactNote(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('contact', () => ID, OF_CONTACT) contact?: string | null,
  ): Promise<string> {
    return deleteContactNote(ctx, this.transact, { id, contact })
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user who wrote it; null if the user is deleted.' })
  author(@Root() { authorId }: ContactNote, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(authorId)
  }

  @FieldResolver(() => Contact, { nullable: true, description: 'The contact about whom it was noted.' })
  contact(@Root() { contactId }: ContactNote, @Ctx() ctx: Context): Promise<Contact | null> {
    return ctx.loader(contactLoader).load(contactId)
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: ContactNote, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
