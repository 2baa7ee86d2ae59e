import { isId } from '../../platform/db/clock.js'
import type { ButtonPlace } from '../conversations/api/buttons.js'

/** A button of one of our messages. */
export interface ClickReference extends ButtonPlace {
  message: string
}

const FORM = /^sb:([0-9a-f-]{36}):(-|\d{1,3}):(\d{1,3})$/

/**
 * Returns a reference that a button carries instead of its payload, which may exceed the platform's limit (1,000
 * characters).
 */
export function clickReference({ message, item, action }: ClickReference): string {
  return `sb:${message}:${item ?? '-'}:${action}`
}

/** Returns null for a payload that is no such reference, for example that of the page's menu. */
export function parseClickReference(payload: string): ClickReference | null {
  const [, message, item, action] = FORM.exec(payload) ?? []
  if (!isId(message)) return null
  return { message, item: item === '-' ? null : Number(item), action: Number(action) }
}
