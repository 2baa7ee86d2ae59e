import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../context.js'
import { DateTime } from '../../lists/scalars.js'
import { TouchpointEnum } from '../../messages/message-enums.js'
import { contactPresencesLoader, type ContactPresenceRow } from '../../presence/contact-presence.js'

@ObjectType({ simpleResolvers: true, description: 'Where a contact was seen.' })
export class ContactPresence implements ContactPresenceRow {
  @Field(() => TouchpointEnum) touchpoint!: string
  @Field(() => Boolean, { description: 'It has a conversation open: on the web only.' }) online!: boolean
  @Field(() => DateTime, { description: 'When it was last there, or wrote.' }) lastSeenAt!: Date
}

@Resolver(() => Contact)
export class ContactPresencesResolver {
  @FieldResolver(() => [ContactPresence], {
    description:
      'Where it was seen, the newest first: on the web by its live subscription, elsewhere by what it wrote.',
  })
  async presences(@Root() { id }: Contact, @Ctx() ctx: Context): Promise<ContactPresenceRow[]> {
    return (await ctx.loader(contactPresencesLoader).load(id)) ?? []
  }
}
