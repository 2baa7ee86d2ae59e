import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import { contactPresencesLoader, type ContactPresenceRow } from '../../../platform/presence/contact-presence.js'

@ObjectType({ simpleResolvers: true, description: 'Presence of a contact on a touchpoint.' })
export class ContactPresence implements ContactPresenceRow {
  @Field(() => TouchpointEnum) touchpoint!: string
  @Field(() => Boolean, { description: 'Whether the contact has a conversation open. Only for the web.' })
  online!: boolean
  @Field(() => DateTime, { description: 'Time when the contact was last present or wrote.' }) lastSeenAt!: Date
}

@Resolver(() => Contact)
export class ContactPresencesResolver {
  @FieldResolver(() => [ContactPresence], {
    description:
      'Presence by touchpoint, newest first: derived from live subscriptions on the web, from messages elsewhere.',
  })
  async presences(@Root() { id }: Contact, @Ctx() ctx: Context): Promise<ContactPresenceRow[]> {
    return (await ctx.loader(contactPresencesLoader).load(id)) ?? []
  }
}
