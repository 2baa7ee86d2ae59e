import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql'
import { Contact } from '../../contacts/contact.js'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { Conversation, loadConversation } from './conversation.js'
import type { ConversationState } from '../state/conversation-state.js'

const ITS_CONVERSATION = "The contact's newest conversation that is not archived."

/** Resolves a contact's conversation. There are several if conversations were created with the contact's id. */
@Resolver(() => Contact)
export class ContactConversationResolver {
  @FieldResolver(() => ID, { nullable: true, description: ITS_CONVERSATION })
  conversationId(@Root() { id }: Contact, @Ctx() ctx: Context): Promise<string | null> | null {
    return ctx.guestCaller ? null : ctx.loader(conversationOfContactLoader).load(id)
  }

  @FieldResolver(() => Conversation, { nullable: true, description: ITS_CONVERSATION })
  async conversation(@Root() { id }: Contact, @Ctx() ctx: Context): Promise<ConversationState | null> {
    const conversation = ctx.guestCaller ? null : await ctx.loader(conversationOfContactLoader).load(id)
    return conversation ? loadConversation(ctx, conversation) : null
  }
}

const conversationOfContactLoader: LoaderDefinition<string> = {
  async load(ctx, contacts) {
    const values: unknown[] = [contacts]
    const rows = await ctx.reads.query<{ contact_id: string; id: string }>(
      `select distinct on (t.contact_id) t.contact_id, t.id from conversation t
       where t.contact_id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)}
       order by t.contact_id, t.status = 'archived', t.id desc`,
      values,
      `conversations-of-contacts-${ctx.tenant.path.length}`,
    )
    return new Map(rows.map((row) => [row.contact_id, row.id]))
  },
}
