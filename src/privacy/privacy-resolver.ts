import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../context.js'
import type { Transact } from '../events/transact.js'
import { deleteContact } from './delete-contact.js'

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
}
