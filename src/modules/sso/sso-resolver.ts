import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { reachable } from '../users/reachable.js'
import { IDENTITIES_MAX, Identity, readIdentities, unlinkIdentity } from './identities.js'
import { confirmIdentity, linkIdentity, ProviderStart, type LinkDependencies } from './link-identity.js'
import { readOwnProviders, SignInProvider } from './own-providers.js'
import { readAddresses, SignInAddresses } from './sign-in-addresses.js'
import { readTrial, TrialSignIn } from './trial.js'

const USER = 'A user, or `me`. Others than oneself need `user.update` (section 5).'

/** Sign-in by providers: who users are there, and trial sign-ins of administrators. */
@Resolver(() => Identity)
export class SsoResolver {
  constructor(private readonly dependencies: LinkDependencies) {}

  @Authorized('identity.updateSelf')
  @Query(() => [SignInProvider], {
    description:
      'The providers by which users of the caller’s organization sign in: those of the organization and of those above it.',
  })
  signInProviders(@Ctx() ctx: Context): Promise<SignInProvider[]> {
    return readOwnProviders(ctx, this.dependencies.publicUrl)
  }

  @Authorized('identity.updateSelf')
  @Query(() => [Identity], { description: `Identities of a user at providers, at most ${IDENTITIES_MAX}.` })
  identities(@Ctx() ctx: Context, @Arg('user', () => ID, { description: USER }) user: string): Promise<Identity[]> {
    return readIdentities(ctx, reachable(ctx, user, 'user.update'))
  }

  @Authorized('identity.updateSelf')
  @Mutation(() => ProviderStart, {
    description:
      'Begins to link the caller to an identity of a provider. The browser goes to `url`, and comes back to `/console/settings#link=<code>`, ' +
      'for `confirmIdentity`. Not with an API token, nor for bots.',
  })
  linkIdentity(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: 'A provider: an id of `signInProviders`.' }) service: string,
    @Arg('currentPassword', () => String, {
      nullable: true,
      description: 'The current password of the caller; who has none must have signed in within the last 15 minutes.',
    })
    currentPassword?: string | null,
  ): Promise<ProviderStart> {
    return linkIdentity(ctx, this.dependencies, { service, currentPassword: currentPassword ?? null })
  }

  @Authorized('identity.updateSelf')
  @Mutation(() => Identity, {
    description:
      'Links the caller to the identity that was found. Only the user who began it can, once, within ten minutes.',
  })
  confirmIdentity(
    @Ctx() ctx: Context,
    @Arg('code', () => String, { description: 'The part after `link=`.' }) code: string,
  ): Promise<Identity> {
    return confirmIdentity(ctx, this.dependencies, code)
  }

  @Authorized('identity.updateSelf')
  @Mutation(() => Boolean, {
    description:
      'Removes an identity, and ends the sessions that it opened but the current one. Not one’s own last way to sign in; ' +
      "an owner's by owners only.",
  })
  unlinkIdentity(
    @Ctx() ctx: Context,
    @Arg('user', () => ID, { description: USER }) user: string,
    @Arg('identity', () => ID, { description: 'Id of an element of `identities`.' }) identity: string,
  ): Promise<boolean> {
    return unlinkIdentity(ctx, this.dependencies, { user: reachable(ctx, user, 'user.update'), identity })
  }

  @Authorized('service.update')
  @Query(() => TrialSignIn, {
    description: 'Result of a trial sign-in of the caller, which `testService` begins: for ten minutes.',
  })
  trialSignIn(
    @Ctx() ctx: Context,
    @Arg('code', () => String, { description: 'The part after `trial=`.' }) code: string,
  ): Promise<TrialSignIn> {
    return readTrial(ctx, this.dependencies, code)
  }

  @Authorized('service.fetch')
  @Query(() => SignInAddresses, {
    description: 'The addresses of a provider’s service, to be registered at the provider.',
  })
  signInAddresses(@Ctx() ctx: Context, @Arg('service', () => ID) service: string): Promise<SignInAddresses> {
    return readAddresses(ctx, this.dependencies.publicUrl, service)
  }
}
