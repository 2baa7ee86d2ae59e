import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { actionUri, type ActionUriDependencies } from './action-uri.js'
import { clickAction } from './click-action.js'
import type { SendDependencies } from '../sending/send-message.js'

const ACTION = { description: 'Zero-based index of the button among the actions of the message or the item.' } as const
const ITEM = {
  nullable: true,
  description: 'Zero-based index of the item with the button; null for a button of the message.',
}

/** Mutations and queries on the buttons of messages (2.10). */
@Resolver()
export class ActionsResolver {
  constructor(private readonly options: SendDependencies & ActionUriDependencies) {}

  @Authorized('message.create')
  @Mutation(() => Message, {
    description:
      'Clicks a reply or postback button on behalf of the consumer (2.10), for guests and bots: adds a message of type ' +
      '`POSTBACK` with the payload as its text, and the messages that the payload of a postback represents.',
  })
  async clickAction(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => ID) message: string,
    @Arg('action', () => Int, ACTION) action: number,
    @Arg('item', () => Int, ITEM) item?: number | null,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description: 'Identifies the click for 24 hours: repeats return the first answer.',
    })
    key?: string | null,
  ): Promise<MessageRow> {
    const click = { conversation, message, action, item: item ?? null }
    const run = () => clickAction(this.options, ctx, click)
    const [sent] = await idempotently(ctx, { key, operation: 'clickAction', input: click }, run)
    return sent!
  }

  @Authorized('action.open')
  @Query(() => String, {
    description:
      "Returns the address of a link button with `{authuser}` and `{authtoken}` replaced (4.7, rule 7): the caller's id, and a " +
      'token of five minutes for that site. FORBIDDEN for sites that are not listed in `LINK_HOSTS`.',
  })
  actionUri(
    @Ctx() ctx: Context,
    @Arg('message', () => ID) message: string,
    @Arg('action', () => Int, ACTION) action: number,
    @Arg('item', () => Int, ITEM) item?: number | null,
  ): Promise<string> {
    return actionUri(this.options, ctx, { message, action, item })
  }
}
