import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql'
import { TokenResponse } from '../../auth/token-response.js'
import type { Context } from '../../context.js'
import type { Transact } from '../../events/transact.js'
import { GuestProfileInput, identifyGuest } from './guest-profile.js'
import { startGuestSession, type GuestSessionDependencies, type StartedSession } from './guest-session.js'

@ObjectType({ simpleResolvers: true, description: "A visitor's session: keep the tokens to come back (4.1)." })
export class GuestSession implements StartedSession {
  @Field(() => TokenResponse, { description: 'Of guest scope. To refresh them, `clientId` is the `contactId`.' })
  tokens!: TokenResponse

  @Field(() => ID, { description: "Id of the visitor's own contact." })
  contactId!: string

  @Field(() => ID, { description: 'The one conversation that the tokens are for.' })
  conversationId!: string

  @Field(() => String, { nullable: true, description: 'What the service has the widget say first: `params.greeting`.' })
  greeting!: string | null
}

/** Visitors of the web widget: the one way in without an account. */
@Resolver()
export class GuestsResolver {
  constructor(private readonly options: GuestSessionDependencies & { transact: Transact }) {}

  @Mutation(() => GuestSession, {
    description:
      "Begins a visitor's session at an active service of type `web`; no credentials are needed. Pages must be of the " +
      "service's `params.allowedOrigins`, where it has some. At most 60 an address in 10 minutes.",
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
      'The guest says who it is. An email or telephone of another contact is kept as a claim, which suggests a merge to ' +
      'the agents (4.8); the guest sees no difference. At most 20 in 10 minutes.',
  })
  identifyGuest(
    @Ctx() ctx: Context,
    @Arg('profile', () => GuestProfileInput) profile: GuestProfileInput,
  ): Promise<boolean> {
    return identifyGuest(this.options, ctx, profile)
  }
}
