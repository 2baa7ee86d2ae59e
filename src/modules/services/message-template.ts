import { Field, ID, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime } from '../../platform/lists/scalars.js'

export const TEMPLATE_STATUSES = ['approved', 'pending', 'rejected', 'paused', 'disabled', 'other'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

export const TemplateStatusEnum = graphqlEnum('TemplateStatus', "The provider's state of a template.", {
  APPROVED: ['approved', 'The provider has approved it: it may be sent.'],
  PENDING: ['pending', 'The provider has not decided yet.'],
  REJECTED: ['rejected', 'The provider refuses it: see `reason`.'],
  PAUSED: ['paused', 'Consumers complained about it; the provider takes it up again later.'],
  DISABLED: ['disabled', 'The provider has withdrawn it.'],
  OTHER: ['other', 'Any other state, in which it cannot be sent.'],
})

/** Kind of a template's header. */
export type TemplateHeader = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'

/** A template as its provider describes it, without its provider's form. */
export interface TemplateContent {
  header: TemplateHeader | null
  /** Text of the header; null for any other kind. */
  headerText: string | null
  body: string
  footer: string | null
  /** Labels of the buttons. */
  buttons: string[]
  /** True if it needs more than values and a file, such as a button with a part of its own. */
  isUnsupported: boolean
}

/** A stored template. */
export interface MessageTemplateRow extends TemplateContent {
  id: string
  serviceId: string
  providerId: string
  name: string
  language: string
  category: string
  status: TemplateStatus
  quality: string | null
  reason: string | null
  syncedAt: Date
}

/** Variables of a text, in order: numbers or names. */
export function variablesOf({ body, headerText }: Pick<TemplateContent, 'body' | 'headerText'>): string[] {
  const found = [headerText ?? '', body].flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name!))
  return [...new Set(found)]
}

export const VARIABLE = /\{\{\s*([A-Za-z0-9_]{1,60})\s*\}\}/g

/** Tells whether a message can be made of a template now: it is approved, and needs values and a file at most. */
export const isSendable = ({ status, isUnsupported }: Pick<MessageTemplateRow, 'status' | 'isUnsupported'>): boolean =>
  status === 'approved' && !isUnsupported

@ObjectType({
  simpleResolvers: true,
  description: 'A text that a provider has approved, which may be sent when its window for answers is closed.',
})
export class MessageTemplate {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'The service by which it is sent.' }) serviceId!: string
  @Field(() => String, { description: "The provider's name of it." }) name!: string
  @Field(() => String, { description: 'Language of the text, such as `nl` or `en_US`.' }) language!: string
  @Field(() => String, { description: 'Purpose at the provider, such as `UTILITY`.' }) category!: string
  @Field(() => TemplateStatusEnum) status!: TemplateStatus
  @Field(() => String, { nullable: true, description: "The provider's judgement of its quality." }) quality!:
    | string
    | null
  @Field(() => String, { nullable: true, description: 'Kind of its header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT`.' })
  header!: TemplateHeader | null
  @Field(() => String, { nullable: true, description: 'Text of the header, with its variables.' })
  headerText!: string | null
  @Field(() => String, { description: 'The text, with its variables in double braces.' }) body!: string
  @Field(() => String, { nullable: true, description: 'Text below the body.' }) footer!: string | null
  @Field(() => [String], { description: 'Labels of its buttons.' }) buttons!: string[]
  @Field(() => [String], { description: 'Names of the variables, all of which a message gives.' }) variables!: string[]
  @Field(() => String, { nullable: true, description: 'Reason of the provider for a refusal.' }) reason!: string | null
  @Field(() => DateTime, { description: 'Time at which the provider last described it.' }) syncedAt!: Date
}
