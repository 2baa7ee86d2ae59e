import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql'
import { TokenResponse } from '../../auth/token-response.js'
import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { GuestProfileInput, identifyGuest } from './guest-profile.js'
import { startGuestSession, type GuestSessionDependencies, type StartedSession } from './guest-session.js'

@ObjectType({ simpleResolvers: true, description: "A visitor's session; keep its tokens to resume it (4.1)." })
export class GuestSession implements StartedSession {
  @Field(() => TokenResponse, {
    description: 'Tokens of guest scope. To refresh them, use the `contactId` as `clientId`.',
  })
  tokens!: TokenResponse

  @Field(() => ID, { description: "Id of the visitor's own contact." })
  contactId!: string

  @Field(() => ID, { description: 'The only conversation that the tokens give access to.' })
  conversationId!: string

  @Field(() => String, { nullable: true, description: "The widget's greeting: the service's `params.greeting`." })
  greeting!: string | null
}

/** Resolvers for visitors of the web widget, the only access without an account. */
@Resolver()
export class GuestsResolver {
  constructor(private readonly options: GuestSessionDependencies & { transact: Transact }) {}

  @Mutation(() => GuestSession, {
    description:
      "Begins a visitor's session at an active service of type `web`; no credentials are needed. Pages must be of the " +
      "service's `params.allowedOrigins`, if it has any. At most 60 per address in 10 minutes.",
  })
  startGuestSession(
    @Ctx() ctx: Context,
    @Arg('service', () => ID) service: string,
    @Arg('profile', () => GuestProfileInput, { nullable: true }) profile?: GuestProfileInput | null,
    @Arg('language', () => String, { nullable: true, description: 'Two lower-case letters.' }) language?: string | null,
  ): Promise<StartedSession> {
    return startGuestSession(this.options, ctx, { service, profile: profile ?? null, language: language ?? null })
  }

  @Authorized('guest.identify')
  @Mutation(() => Boolean, {
    description:
      "Updates the guest's profile. An email or telephone of another contact is kept as unverified, which suggests a merge to " +
      'the agents (4.8); the guest sees no difference. At most 20 times in 10 minutes.',
  })
  identifyGuest(
    @Ctx() ctx: Context,
    @Arg('profile', () => GuestProfileInput) profile: GuestProfileInput,
  ): Promise<boolean> {
    return identifyGuest(this.options, ctx, profile)
  }
}
