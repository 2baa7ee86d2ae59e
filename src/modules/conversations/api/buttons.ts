import { BadUserInput } from '../../../platform/errors.js'
import type { Action } from '../../messages/actions.js'
import type { MessageRow } from '../../messages/message-row.js'

/** Position of a button: a zero-based index into the message's actions, or into those of one of its items. */
export interface ButtonPlace {
  action: number
  item?: number | null
}

/** Returns the button at a position. @throws BadUserInput if there is none */
export function buttonAt(message: Pick<MessageRow, 'actions' | 'items'>, { action, item }: ButtonPlace): Action {
  const { actions, items } = message
  if (item != null && !items?.[item]) throw new BadUserInput('item', `item ${item}: the message has no such item`)
  const button = (item == null ? actions : items![item]!.actions)?.[action]
  if (!button) throw new BadUserInput('action', `action ${action}: the message has no such button`)
  return button
}
