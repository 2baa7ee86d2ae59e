import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { TenantEntity } from '../../platform/db/tenancy.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { IDLE_SLACK_MINUTES, type SignInRules } from './sign-in-rules.js'

export const PASSWORD_MIN = [12, 128] as const
export const SESSION_HOURS = [1, 8_760] as const
export const API_TOKEN_DAYS = [1, 3_650] as const
export const IDLE_MINUTES = [5, 43_200] as const
export const GRACE_DAYS = [0, 90] as const
export const NETWORKS_MAX = 100

export const SecondFactorDemand = graphqlEnum(
  'SecondFactorDemand',
  'People of whom the sign-in policy asks a second factor. Bots are none, and whoever signs in by a provider proves what that asks for.',
  {
    OFF: ['off', 'Nobody: whoever wants one enrols it. The same as no rule.'],
    ADMINS: ['admins', 'Administrators and owners.'],
    ALL: ['all', 'Everybody who signs in by a password.'],
  },
)
export type SecondFactorDemand = (typeof SecondFactorDemand)[keyof typeof SecondFactorDemand]

/** The rules that an organization itself has set: one row, once anything was set. */
@Entity({ tableName: 'sign_in_policy' })
export class StoredSignInPolicy extends TenantEntity implements SignInRules {
  @Property({ type: 'integer', nullable: true })
  passwordMinLength!: number | null

  @Property({ type: 'integer', nullable: true })
  maxSessionHours!: number | null

  @Property({ type: TextArray, nullable: true })
  allowedNetworks!: string[] | null

  @Property({ type: TextArray, nullable: true })
  apiTokenNetworks!: string[] | null

  @Property({ type: 'integer', nullable: true })
  apiTokenMaxDays!: number | null

  @Property({ type: 'integer', nullable: true })
  idleMinutes!: number | null

  @Property({ type: 'boolean', nullable: true })
  passwordLogin!: boolean | null

  @Property({ type: 'text', nullable: true })
  secondFactor!: SecondFactorDemand | null

  @Property({ type: 'integer', nullable: true })
  graceDays!: number | null

  @Property({ type: 'datetime', columnType: 'timestamptz', nullable: true })
  adminsFactorSince!: Date | null

  @Property({ type: 'datetime', columnType: 'timestamptz', nullable: true })
  allFactorSince!: Date | null
}

const PASSWORD_MIN_LENGTH =
  `Fewest characters of a new password, ${PASSWORD_MIN.join(' to ')}; such a password must also be none of the most used ones, ` +
  'and contain neither name nor email of its user. Present passwords go on working until they are changed.'
const MAX_SESSION_HOURS = `Hours after which a session ends, however much it is used, ${SESSION_HOURS.join(' to ')}.`
const ALLOWED_NETWORKS =
  `Networks from which users sign in and use their sessions, as CIDR; at most ${NETWORKS_MAX}. The address is the one behind trusted ` +
  'proxies (`TRUST_PROXY`).'
const API_TOKEN_NETWORKS = `Networks from which API tokens are used, as CIDR; at most ${NETWORKS_MAX}.`
const API_TOKEN_MAX_DAYS =
  `Days for which an API token works, from its creation on, ${API_TOKEN_DAYS.join(' to ')}; older ones end at once, with the sessions of ` +
  'guests that they opened.'
const IDLE_RULE =
  `Minutes without use after which a session of a person ends, ${IDLE_MINUTES.join(' to ')}; it ends at most ${IDLE_SLACK_MINUTES} minutes later. ` +
  'Requests are a use, an open socket is none, nor are requests of a page that nobody is at (`Switchboard-Unattended`).'
const SECOND_FACTOR =
  'People who must have a second factor. Whoever has none signs in until `graceDays` are over, and then enrols one before anything else.'
const GRACE =
  `Days in which a second factor is to be enrolled, ${GRACE_DAYS.join(' to ')}, from when the rule begins to hold for a person; 0 by default. ` +
  'Needs `secondFactor`.'
const PASSWORD_LOGIN =
  'False: people sign in by a provider only, and their sessions by a password end. Bots keep their passwords. True: no rule.'

@ObjectType({ simpleResolvers: true, description: 'Rules of sign-ins; null: there is none.' })
export class SignInRuleSet implements SignInRules {
  @Field(() => Int, { nullable: true, description: PASSWORD_MIN_LENGTH })
  passwordMinLength!: number | null

  @Field(() => Int, { nullable: true, description: MAX_SESSION_HOURS })
  maxSessionHours!: number | null

  @Field(() => [String], { nullable: true, description: ALLOWED_NETWORKS })
  allowedNetworks!: string[] | null

  @Field(() => [String], { nullable: true, description: API_TOKEN_NETWORKS })
  apiTokenNetworks!: string[] | null

  @Field(() => Int, { nullable: true, description: API_TOKEN_MAX_DAYS })
  apiTokenMaxDays!: number | null

  @Field(() => Int, { nullable: true, description: IDLE_RULE })
  idleMinutes!: number | null

  @Field(() => Boolean, { nullable: true, description: PASSWORD_LOGIN })
  passwordLogin!: boolean | null

  @Field(() => SecondFactorDemand, { nullable: true, description: SECOND_FACTOR })
  secondFactor!: SecondFactorDemand | null

  @Field(() => Int, { nullable: true, description: GRACE })
  graceDays!: number | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Rules by which users of an organization, and of those below it, sign in. An organization can make a rule of one above it stricter, ' +
    'never weaker. Guests of the web widget are not concerned.',
})
export class SignInPolicy {
  @Field(() => ID, { description: 'Organization that the policy is of.' })
  organizationId!: string

  @Field(() => SignInRuleSet, { description: 'Rules that the organization itself has set.' })
  own!: SignInRules

  @Field(() => SignInRuleSet, {
    description: 'Rules that hold there: the strictest of its own rules and those of the organizations above it.',
  })
  effective!: SignInRules

  @Field(() => Int, { description: '0 until anything was set.' })
  version!: number

  @Field(() => DateTime, { nullable: true })
  updatedAt!: Date | null
}

@InputType({ description: 'Rules of an organization; null removes one, what is absent stays.' })
export class UpdateSignInPolicyInput {
  @Field(() => Int, { nullable: true, description: PASSWORD_MIN_LENGTH })
  passwordMinLength?: number | null

  @Field(() => Int, { nullable: true, description: MAX_SESSION_HOURS })
  maxSessionHours?: number | null

  @Field(() => [String], { nullable: true, description: ALLOWED_NETWORKS })
  allowedNetworks?: string[] | null

  @Field(() => [String], { nullable: true, description: API_TOKEN_NETWORKS })
  apiTokenNetworks?: string[] | null

  @Field(() => Int, { nullable: true, description: API_TOKEN_MAX_DAYS })
  apiTokenMaxDays?: number | null

  @Field(() => Int, { nullable: true, description: IDLE_RULE })
  idleMinutes?: number | null

  @Field(() => Boolean, { nullable: true, description: PASSWORD_LOGIN })
  passwordLogin?: boolean | null

  @Field(() => SecondFactorDemand, { nullable: true, description: SECOND_FACTOR })
  secondFactor?: SecondFactorDemand | null

  @Field(() => Int, { nullable: true, description: GRACE })
  graceDays?: number | null

  @IfVersion()
  ifVersion?: number | null
}
