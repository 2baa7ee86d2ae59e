import { Field, ID, ObjectType } from 'type-graphql'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'An authentication result (2.1).' })
export class TokenResponse {
  @Field(() => String, { description: '`Bearer`.' })
  tokenType!: string

  @Field(() => String, { description: 'Access token (JWT). Valid 24 hours.' })
  token!: string

  @Field(() => String, { description: 'Valid for 30 days and one use, which returns the next one.' })
  refreshToken!: string

  @Field(() => ID, { nullable: true, description: 'The authenticated user; null for a guest.' })
  user!: string | null

  @Field(() => ID)
  organization!: string

  @Field(() => DateTime, { description: 'Expiry of the access token.' })
  expiresAt!: Date

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time until which a user without a second factor, of whom the sign-in policy asks one, has to enrol it by `enrolTotp`: the session ' +
      'ends then. Null for everybody else.',
  })
  secondFactorDue?: Date | null

  @Field(() => String, { description: 'Scopes, joined by spaces (section 5.3).' })
  scope!: string
}
