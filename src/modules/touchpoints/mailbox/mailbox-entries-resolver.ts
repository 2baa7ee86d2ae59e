import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { Unprocessable, quoteValue } from '../../../platform/errors.js'
import type { Transact } from '../../../platform/events/transact.js'
import { ConnectionArgs, type Page } from '../../../platform/lists/connection.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { Service } from '../../services/service.js'
import type { EntryState } from './ledger.js'
import {
  entryMessageLoader,
  MailboxEntry,
  MailboxEntryConnection,
  mailboxEntryList,
  MailboxEntryState,
} from './mailbox-entry.js'
import { MailboxHealth, mailboxHealthLoader } from './mailbox-health.js'
import { MAILBOX } from './mailbox-params.js'
import { readAgain } from './read-again.js'

/** The ledger of a mailbox, for administrators. */
@Resolver(() => Service)
export class MailboxEntriesResolver {
  constructor(private readonly options: { transact: Transact }) {}

  @Authorized('service.fetch')
  @Query(() => MailboxEntryConnection, {
    description:
      'The ledger of a service of type `mailbox`: each mail that its server lists, and what became of it, newest first.',
  })
  async mailboxEntries(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: 'A service of type `mailbox`.' }) id: string,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('state', () => MailboxEntryState, { nullable: true, description: 'Only mails of this state.' })
    state?: EntryState | null,
    @Arg('since', () => DateTime, { nullable: true, description: 'Only mails that were listed then or later.' })
    since?: Date | null,
  ): Promise<Page<MailboxEntry>> {
    const service = await fetchRecord(ctx, Service, id)
    if (service.type !== MAILBOX) {
      const message = `service ${service.id} is of type ${quoteValue(service.type)}, not ${MAILBOX}`
      throw new Unprocessable(message, { field: 'service' })
    }
    const restrict = (values: unknown[]): string =>
      [
        `t.service_id = $${values.push(service.id)}`,
        ...(state ? [`t.state = $${values.push(state)}`] : []),
        ...(since ? [`t.listed_at >= $${values.push(since)}`] : []),
      ].join(' and ')
    return listPage<MailboxEntry>(ctx, mailboxEntryList, { args, restrict })
  }

  @Authorized('service.update')
  @Mutation(() => MailboxEntry, {
    description:
      'Reads a mail of a mailbox again, within some seconds: one that is UNREADABLE, TOO_LARGE, AUTOMATIC or BLOCKED, or whose reading ' +
      'failed. A message is made of it if it can be read by now; one that was made before stays. UNPROCESSABLE for a mail of another ' +
      'state, of a folder that is numbered anew, and for one whose message was deleted.',
  })
  readMailboxEntry(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<MailboxEntry> {
    return readAgain(ctx, this.options.transact, id)
  }

  @FieldResolver(() => MailboxHealth, { nullable: true, description: 'Health of a service of type `mailbox`.' })
  mailbox(@Root() service: Service, @Ctx() ctx: Context): Promise<MailboxHealth | null> {
    return ctx.loader(mailboxHealthLoader).load(service.id)
  }
}

/** Fields of a line of the ledger that are those of its message. */
@Resolver(() => MailboxEntry)
export class MailboxEntryMessagesResolver {
  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The conversation that the message is in; null if it is deleted.',
  })
  async conversationId(@Root() entry: MailboxEntry, @Ctx() ctx: Context): Promise<string | null> {
    if (entry.messageId === null) return null
    return (await ctx.loader(entryMessageLoader).load(entry.messageId))?.conversationId ?? null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The subject, if a message was made of the mail and is still there.',
  })
  async subject(@Root() entry: MailboxEntry, @Ctx() ctx: Context): Promise<string | null> {
    if (entry.messageId === null) return null
    return (await ctx.loader(entryMessageLoader).load(entry.messageId))?.subject ?? null
  }
}
