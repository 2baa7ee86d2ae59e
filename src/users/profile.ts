import { Field, ID, InterfaceType } from 'type-graphql'
import type { Role } from '../access/scopes.js'
import { UserRole } from './user-role.js'

@InterfaceType({
  description:
    'A person or bot, as everybody in a conversation sees it: a `User` and its `UserProfile` are the same one.',
})
export abstract class Profile {
  @Field(() => ID, { simple: true })
  id!: string

  @Field(() => ID, { simple: true })
  organizationId!: string

  @Field(() => String, { simple: true })
  displayName!: string

  @Field(() => String, { simple: true, description: 'Full name.' })
  name!: string

  @Field(() => String, { simple: true, nullable: true, description: 'URL.' })
  avatar!: string | null

  @Field(() => UserRole, { simple: true })
  role!: Role
}
