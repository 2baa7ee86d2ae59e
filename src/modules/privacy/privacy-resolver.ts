import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { contactToErase } from './contact-to-erase.js'
import { deleteContact } from './delete-contact.js'
import { Erasure, ERASURES_MAX, readErasures } from './erasures.js'

@Resolver()
export class PrivacyResolver {
  readonly #delete: Guarded<{ id: string }, boolean>

  constructor(fourEyes: FourEyesGuard) {
    this.#delete = fourEyes.guard('deleteContact', {
      area: 'erasure',
      permission: 'contact.delete',
      act: (ctx, transact, { id }) => deleteContact(ctx, transact, id),
      propose: async (ctx, input) => ({ input, object: await contactToErase(ctx, input.id) }),
    })
  }

  @Authorized('contact.delete')
  @Mutation(() => ID, {
    description:
      'Deletes the contact with all its conversations, and erases what events, copies and waiting webhooks hold of them. ' +
      'Refused while one of them is queued or active.',
  })
  async deleteContact(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await this.#delete(ctx, { id })
    return id.toLowerCase()
  }

  @Authorized('erasure.list')
  @Query(() => [Erasure], {
    description:
      "Erasures of the caller's organization and those below it that are not done: the oldest " +
      `${ERASURES_MAX}. ` +
      'Usually none, or one that has been demanded just now.',
  })
  erasures(@Ctx() ctx: Context): Promise<Erasure[]> {
    return readErasures(ctx)
  }
}
