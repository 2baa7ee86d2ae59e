import { Field, ObjectType } from 'type-graphql'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'A link by which a user chooses a password; works once.' })
export class SignInLink {
  @Field(() => String, { description: 'Link for the user only: anyone who opens it signs in as the user.' })
  url!: string

  @Field(() => DateTime, { description: 'Expiry of the link.' })
  expiresAt!: Date
}
