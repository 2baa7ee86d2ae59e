import { Arg, Authorized, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { parseText } from '../../input.js'
import { MESSAGE_TEXT_BYTES_MAX } from '../../messages/message-content.js'
import { smsSize, type SmsSize as Size } from './sms-size.js'

@ObjectType({ simpleResolvers: true, description: 'How a text goes out by SMS.' })
export class SmsSize implements Size {
  @Field(() => String, { description: '`GSM-7`, or `UCS-2` as soon as one character is outside of the GSM alphabet.' })
  encoding!: Size['encoding']

  @Field(() => Int, { description: 'Septets, or 16-bit units.' })
  units!: number

  @Field(() => Int, {
    description: 'Messages that a carrier counts: one of 160 septets or 70 units, or parts of 153 or 67.',
  })
  segments!: number
}

@Resolver()
export class SmsResolver {
  @Authorized('sms.measure')
  @Query(() => SmsSize, { description: 'What a text would come to as an SMS, for who is writing one.' })
  smsSize(@Arg('text', () => String, { description: 'At most 65,536 bytes.' }) text: string): Size {
    return smsSize(parseText(text, 'text', { maxBytes: MESSAGE_TEXT_BYTES_MAX }))
  }
}
