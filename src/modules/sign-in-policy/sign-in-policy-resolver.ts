import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { readPolicyEffects, SignInPolicyEffects } from './policy-effects.js'
import { SignInPolicy, UpdateSignInPolicyInput } from './sign-in-policy.js'
import { readSignInPolicy, updateSignInPolicy } from './update-sign-in-policy.js'

const ORGANIZATION = "Defaults to the caller's organization."

interface PolicyChange {
  organization: string | null
  patch: UpdateSignInPolicyInput
}

@Resolver(() => SignInPolicy)
export class SignInPolicyResolver {
  readonly #update: Guarded<PolicyChange, SignInPolicy>

  constructor(fourEyes: FourEyesGuard) {
    this.#update = fourEyes.guard('updateSignInPolicy', {
      area: 'signIn',
      permission: 'signInPolicy.update',
      act: (ctx, transact, { organization, patch }) => updateSignInPolicy(ctx, transact, organization, patch),
      async propose(ctx, { organization, patch }) {
        const { organizationId, version } = await readSignInPolicy(ctx, organization)
        const input = { organization: organizationId, patch: { ...patch, ifVersion: patch.ifVersion ?? version } }
        return { input, object: { type: 'signInPolicy', id: organizationId } }
      },
    })
  }

  @Authorized('signInPolicy.fetch')
  @Query(() => SignInPolicy, {
    description: "Rules of sign-ins of the caller's organization, or of one below it, with what it inherits.",
  })
  signInPolicy(
    @Ctx() ctx: Context,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
  ): Promise<SignInPolicy> {
    return readSignInPolicy(ctx, organization ?? null)
  }

  @Authorized('signInPolicy.fetch')
  @Query(() => SignInPolicyEffects, {
    description: 'Counts what `updateSignInPolicy` with the same `patch` would end at once, and changes nothing.',
  })
  signInPolicyEffects(
    @Ctx() ctx: Context,
    @Arg('patch', () => UpdateSignInPolicyInput) patch: UpdateSignInPolicyInput,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
  ): Promise<SignInPolicyEffects> {
    return readPolicyEffects(ctx, organization ?? null, patch)
  }

  @Authorized('signInPolicy.update')
  @Mutation(() => SignInPolicy, {
    description:
      'Changes rules of sign-ins; every node knows of it within two seconds, and closes the sockets of whom it keeps out. A rule that one of an ' +
      'organization above makes stricter anyway is refused (`STRICTER_ABOVE`), and what would shut out its author (`WOULD_LOCK_OUT`).',
  })
  updateSignInPolicy(
    @Ctx() ctx: Context,
    @Arg('patch', () => UpdateSignInPolicyInput) patch: UpdateSignInPolicyInput,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
  ): Promise<SignInPolicy> {
    return this.#update(ctx, { organization: organization ?? null, patch })
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: SignInPolicy, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
