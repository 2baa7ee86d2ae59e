import { storableText, unstorable } from '../../../platform/json.js'
import type { DeliveryStatus } from '../../messages/delivery.js'

export interface StatusCallback {
  sid: string
  status: Extract<DeliveryStatus, 'sent' | 'delivered' | 'read' | 'failed'>
  /** Reason of a failure. */
  reason: string | null
}

const STATUSES: ReadonlyMap<string, StatusCallback['status']> = new Map([
  // Accepted by the provider; carriers report later.
  ['accepted', 'sent'],
  ['scheduled', 'sent'],
  ['queued', 'sent'],
  ['sending', 'sent'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])
const CHARS_MAX = 200

/** @returns null for a form that is no status of a message, or has a status added by the provider since */
export function statusCallback(form: URLSearchParams): StatusCallback | null {
  const sid = form.get('MessageSid') ?? form.get('SmsSid') ?? ''
  const word = form.get('MessageStatus') ?? form.get('SmsStatus') ?? ''
  const status = STATUSES.get(word)
  if (sid === '' || sid.length > CHARS_MAX || unstorable(sid) || !status) return null
  return { sid, status, reason: status === 'failed' ? reasonOf(word, form) : null }
}

/** For example `undelivered: 30003 Unreachable destination handset`. */
function reasonOf(word: string, form: URLSearchParams): string {
  const details = ['ErrorCode', 'ErrorMessage'].map((name) => form.get(name)?.slice(0, CHARS_MAX) ?? '')
  const explanation = storableText(details.filter(Boolean).join(' '))
  return explanation ? `${word}: ${explanation}` : `${word} by the carrier`
}
