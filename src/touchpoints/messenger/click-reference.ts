import { isId } from '../../db/clock.js'
import type { ButtonPlace } from '../../conversations/api/buttons.js'

/** A button of a message of ours. */
export interface ClickReference extends ButtonPlace {
  message: string
}

const FORM = /^sb:([0-9a-f-]{36}):(-|\d{1,3}):(\d{1,3})$/

/** What a button carries in place of its payload, which may be longer than the platform takes (1,000 characters). */
export function clickReference({ message, item, action }: ClickReference): string {
  return `sb:${message}:${item ?? '-'}:${action}`
}

/** Null for a payload that was not made here, such as that of the page's menu. */
export function parseClickReference(payload: string): ClickReference | null {
  const [, message, item, action] = FORM.exec(payload) ?? []
  if (!isId(message)) return null
  return { message, item: item === '-' ? null : Number(item), action: Number(action) }
}
