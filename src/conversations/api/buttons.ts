import { BadUserInput } from '../../errors.js'
import type { Action } from '../../messages/actions.js'
import type { MessageRow } from '../../messages/message-row.js'

/** Which button of a message: of its actions, or of those of one of its items; zero-based. */
export interface ButtonPlace {
  action: number
  item?: number | null
}

/** @throws BadUserInput when there is none */
export function buttonAt(message: Pick<MessageRow, 'actions' | 'items'>, { action, item }: ButtonPlace): Action {
  const { actions, items } = message
  if (item != null && !items?.[item]) throw new BadUserInput('item', `item ${item}: the message has no such item`)
  const button = (item == null ? actions : items![item]!.actions)?.[action]
  if (!button) throw new BadUserInput('action', `action ${action}: the message has no such button`)
  return button
}
