import type { MessageType } from '../../messages/message-enums.js'
import { consumerOf, conversationOf, userOf, wordsOf, type Told } from './told.js'

const DEEDS: Readonly<Record<Exclude<MessageType, 'chat'>, string>> = {
  card: 'sent a card',
  command: 'gave a command',
  postback: 'pressed a button',
  form: 'added or removed a form',
  field: 'filled in a field of a form',
  results: 'completed a form',
  mention: 'mentioned somebody',
  tag: 'tagged the conversation',
  search: 'searched',
  report: 'reported findings',
}

/** Puts a new message into words. */
export function messageWords({ event, data }: Told): string {
  const type = event.split('.').at(-1)!
  const { message, conversation } = data
  const isConsumers = message?.role === 'contact'
  const author = isConsumers
    ? (consumerOf(data) ?? 'a consumer')
    : message?.role === 'system'
      ? 'the system'
      : (userOf(data) ?? 'somebody')
  if (type !== 'chat') {
    const deed = Object.hasOwn(DEEDS, type)
      ? DEEDS[type as keyof typeof DEEDS]
      : `sent a message of the type ${wordsOf(type)}`
    return `${author} ${deed} in ${conversationOf(data)}.`
  }
  if (isConsumers) return `new message from ${author}.`
  if (conversation?.type !== 'contact') return `${author} wrote in ${conversationOf(data)}.`
  if (message?.audience === 'team') return `${author} wrote a note in ${conversationOf(data)}.`
  return `${author} answered ${consumerOf(data) ?? 'a consumer'}.`
}
