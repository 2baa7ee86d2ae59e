import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { pathOf, pathText } from '../../../platform/db/tenancy.js'
import { Message } from '../../messages/message.js'
import { MessageAudienceEnum, type MessageAudience } from '../../messages/message-enums.js'
import { audienceOf, messageSlug, messageUrl, type MessageRow } from '../../messages/message-row.js'
import { Organization, organizationLoader } from '../../organizations/organization.js'

/** Resolves a message's addresses, which derive from its id and its organization alone (2.9). */
@Resolver(() => Message)
export class MessageAddressResolver {
  constructor(private readonly options: { publicUrl: string }) {}

  @FieldResolver(() => String, { description: 'Short identifier: the id in 22 characters.' })
  slug(@Root() { id }: MessageRow): string {
    return messageSlug(id)
  }

  @FieldResolver(() => String, { description: "Address of the agents' view (2.9)." })
  url(@Root() { id }: MessageRow): string {
    return messageUrl(this.options.publicUrl, id)
  }

  @FieldResolver(() => String, { description: "The organization's ancestors and itself, joined by `#` (2.4)." })
  path(@Root() message: MessageRow): string {
    return pathText(message)
  }

  @FieldResolver(() => MessageAudienceEnum, {
    description: 'Those who can read it: the consumer as well, or the team only.',
  })
  audience(@Root() message: MessageRow): MessageAudience {
    return audienceOf(message)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: MessageRow, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => Int, { description: "The organization's level (2.4)." })
  level(@Root() message: MessageRow): number {
    return pathOf(message).length
  }
}
