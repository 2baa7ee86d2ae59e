import { Arg, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import {
  PushSubscription,
  PushSubscriptionInput,
  readSubscriptions,
  subscribe,
  type SubscribeOptions,
  SUBSCRIPTIONS_MAX,
  unsubscribe,
} from './push-subscription.js'

/** Web Push: notifications of the inbox while no page is open (2.3, `pushNotify`). Each user has its own browsers only. */
@Resolver(() => PushSubscription)
export class PushResolver {
  /** @param options.publicKey null if notifications are not offered */
  constructor(private readonly options: SubscribeOptions & { publicKey: string | null }) {}

  @Authorized('push.subscribe')
  @Query(() => String, {
    description: "The server's key for `pushManager.subscribe`, `applicationServerKey` in base64url (RFC 8292).",
  })
  pushKey(): string {
    return this.#requireKey()
  }

  @Authorized('push.subscribe')
  @Query(() => [PushSubscription], {
    description: `The caller's browsers that receive notifications, at most ${SUBSCRIPTIONS_MAX}.`,
  })
  pushSubscriptions(@Ctx() ctx: Context): Promise<PushSubscription[]> {
    return readSubscriptions(ctx)
  }

  @Authorized('push.subscribe')
  @Mutation(() => PushSubscription, {
    description:
      'Notifies a browser of new messages in the inbox and in accepted conversations, while the setting `pushNotify` is ' +
      `on. Ends with the sign-in. The same browser is added once; beyond ${SUBSCRIPTIONS_MAX} the one unused for longest goes.`,
  })
  subscribeToPush(@Ctx() ctx: Context, @Arg('input') input: PushSubscriptionInput): Promise<PushSubscription> {
    this.#requireKey()
    return subscribe(ctx, this.options, input)
  }

  @Authorized('push.subscribe')
  @Mutation(() => Boolean, {
    description: 'Ends the notifications of a browser of the caller. Returns whether it had any.',
  })
  unsubscribeFromPush(
    @Ctx() ctx: Context,
    @Arg('endpoint', () => String, { description: 'Address of the subscription, as the browser gave it.' })
    endpoint: string,
  ): Promise<boolean> {
    return unsubscribe(ctx, this.options.transact, endpoint)
  }

  /** @throws Unprocessable */
  #requireKey(): string {
    const { publicKey } = this.options
    if (publicKey !== null) return publicKey
    throw new Unprocessable('this server notifies no browsers: it has neither PUBLIC_URL with https nor MAIL_FROM', {
      reason: 'PUSH_NOT_SET_UP',
    })
  }
}
