import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { deleteContact } from './delete-contact.js'
import { Erasure, ERASURES_MAX, readErasures } from './erasures.js'

@Resolver()
export class PrivacyResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('contact.delete')
  @Mutation(() => ID, {
    description:
      'Deletes the contact with all its conversations, and erases what events, copies and waiting webhooks hold of them. ' +
      'Refused while one of them is queued or active.',
  })
  async deleteContact(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteContact(ctx, this.transact, id)
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
