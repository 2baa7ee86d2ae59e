import { isWebUrl } from '../../../platform/input.js'
import { storableText, unstorable } from '../../../platform/json.js'

/** A text or picture message from the provider's webhook. */
export interface InboundText {
  /** Its `MessageSid`. */
  sid: string
  /** In E.164, as given by the provider. */
  from: string
  body: string
  media: { url: string; type: string }[]
  /** Classification by the provider's own opt-out handling; null when it did not. */
  optOut: 'stop' | 'start' | null
}

const MEDIA_MAX = 10
const SID_CHARS_MAX = 100
const FROM_CHARS_MAX = 100

/** @returns null for a form that is no inbound message */
export function inboundText(form: URLSearchParams): InboundText | null {
  const sid = form.get('MessageSid') ?? form.get('SmsSid') ?? ''
  const from = form.get('From') ?? ''
  if (sid === '' || from === '' || unstorable(sid + from)) return null
  if (sid.length > SID_CHARS_MAX || from.length > FROM_CHARS_MAX) return null
  const word = form.get('OptOutType')?.toLowerCase()
  return {
    sid,
    from,
    body: storableText(form.get('Body') ?? ''),
    media: mediaOf(form),
    optOut: word === 'stop' || word === 'start' ? word : null,
  }
}

function mediaOf(form: URLSearchParams): InboundText['media'] {
  const count = Math.min(MEDIA_MAX, Math.max(0, Math.trunc(Number(form.get('NumMedia'))) || 0))
  return Array.from({ length: count }, (_, at) => ({
    url: form.get(`MediaUrl${at}`) ?? '',
    type: (form.get(`MediaContentType${at}`) ?? '').slice(0, FROM_CHARS_MAX),
  })).filter(({ url }) => isWebUrl(url))
}
