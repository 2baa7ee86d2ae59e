import { Arg, Authorized, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { parseText } from '../../../platform/input.js'
import { MESSAGE_TEXT_BYTES_MAX } from '../../messages/message-content.js'
import { smsSize, type SmsSize as Size } from './sms-size.js'

@ObjectType({ simpleResolvers: true, description: 'The encoding and size of a text when it is sent by SMS.' })
export class SmsSize implements Size {
  @Field(() => String, { description: '`GSM-7`, or `UCS-2` if any character is outside of the GSM alphabet.' })
  encoding!: Size['encoding']

  @Field(() => Int, { description: 'Septets, or 16-bit units.' })
  units!: number

  @Field(() => Int, {
    description:
      'Number of messages that a carrier counts: one of up to 160 septets or 70 units, or parts of 153 or 67.',
  })
  segments!: number
}

@Resolver()
export class SmsResolver {
  @Authorized('sms.measure')
  @Query(() => SmsSize, {
    description: 'The encoding and size that a text would have as an SMS, to show while it is written.',
  })
  smsSize(@Arg('text', () => String, { description: 'At most 65,536 bytes.' }) text: string): Size {
    return smsSize(parseText(text, 'text', { maxBytes: MESSAGE_TEXT_BYTES_MAX }))
  }
}
