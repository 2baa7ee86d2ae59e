import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseFields, parseInteger, parseList, parseOneOf, parseText } from '../../platform/input.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { TOUCHPOINTS, type Touchpoint } from '../touchpoint-traits.js'

export const SurveyScaleEnum = graphqlEnum('SurveyScale', 'Answers that a survey offers.', {
  THUMBS: ['thumbs', 'A score of 1, thumbs up, or 0, thumbs down.'],
  FIVE: ['five', 'A score from 1 to 5, the best.'],
})
export type SurveyScale = (typeof SurveyScaleEnum)[keyof typeof SurveyScaleEnum]

const DELAY_SECONDS_MAX = 86_400
const ONCE_DAYS = { max: 365, default: 30 }
const TEXT_CHARS_MAX = 500

@InputType('ChannelSurveyInput', { description: 'Settings that are not given have their defaults.' })
@ObjectType('ChannelSurvey', {
  simpleResolvers: true,
  description: 'The question that consumers are asked after a case of the channel was closed, once for each case.',
})
export class ChannelSurvey {
  @Field(() => SurveyScaleEnum, { nullable: true, description: '`FIVE` by default.' })
  scale?: SurveyScale

  @Field(() => String, {
    nullable: true,
    description: `The question, 1 to ${TEXT_CHARS_MAX} characters; by default one in the language of the conversation.`,
  })
  text?: string | null

  @Field(() => Int, {
    nullable: true,
    description: `Seconds from closing until it is asked, 0 to ${DELAY_SECONDS_MAX}, 0 by default. Never before the closing can no longer be undone.`,
  })
  delaySeconds?: number

  @Field(() => Int, {
    nullable: true,
    description: `Days in which a contact is asked once, by whatever channel: 0 to ${ONCE_DAYS.max}, ${ONCE_DAYS.default} by default; 0 asks after every case.`,
  })
  onceDays?: number

  @Field(() => [TouchpointEnum], { nullable: true, description: 'Touchpoints by which it is asked; all by default.' })
  touchpoints?: Touchpoint[] | null
}

export type Survey = Required<ChannelSurvey>

const KEYS = ['scale', 'text', 'delaySeconds', 'onceDays', 'touchpoints'] as const

/** @throws BadUserInput naming the field: `survey.onceDays` */
export function parseSurvey(value: unknown, field: string): Survey | null {
  if (isAbsent(value)) return null
  const given = parseFields(value instanceof ChannelSurvey ? { ...value } : value, field, KEYS)
  const at = (key: (typeof KEYS)[number]): string => `${field}.${key}`
  const number = (key: 'delaySeconds' | 'onceDays', max: number, otherwise: number): number =>
    isAbsent(given[key]) ? otherwise : parseInteger(given[key], at(key), 0, max)
  return {
    scale: isAbsent(given.scale) ? 'five' : parseOneOf(given.scale, at('scale'), Object.values(SurveyScaleEnum)),
    text: isAbsent(given.text) ? null : parseQuestion(given.text, at('text')),
    delaySeconds: number('delaySeconds', DELAY_SECONDS_MAX, 0),
    onceDays: number('onceDays', ONCE_DAYS.max, ONCE_DAYS.default),
    touchpoints: isAbsent(given.touchpoints) ? null : parseTouchpoints(given.touchpoints, at('touchpoints')),
  }
}

function parseQuestion(value: unknown, field: string): string {
  const text = parseText(value, field, { max: TEXT_CHARS_MAX }).trim()
  if (text === '')
    throw new BadUserInput(field, `${field} must not be blank: without it, a question of the server is asked`)
  return text
}

function parseTouchpoints(value: unknown, field: string): Touchpoint[] {
  const given = parseList(value, field, TOUCHPOINTS.length)
  if (given.length === 0)
    throw new BadUserInput(field, `${field} names no touchpoint: nobody could answer; \`null\` asks by all of them`)
  return [...new Set(given.map((each, index) => parseOneOf(each, `${field}[${index}]`, TOUCHPOINTS)))]
}
