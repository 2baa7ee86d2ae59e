import type { Talk } from '../talk/talk.js'
import type { TalkMessage } from '../talk/thread.js'
import type { Messages } from '../words/en.js'

/** Things that every part of the chat needs. */
export interface View {
  talk: Talk
  words: Messages
  language: string
  server: string
  root: ShadowRoot
}

/** `14:05`, in the browser's zone. */
export function timeOfDay(at: string | number, { language }: View): string {
  return formatted(at, language, { hour: '2-digit', minute: '2-digit' })
}

export function dayOf(at: string | number, { words, language }: View): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? words.today : formatted(at, language, { day: 'numeric', month: 'long' })
}

function formatted(at: string | number, language: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(new Date(at))
}

/** Tells whether a thread shows it: a field that was filled and a postback that is not echoed (2.10) are no turns. */
export function isShown({ type, actions, form }: TalkMessage): boolean {
  if (type === 'POSTBACK') return actions?.[0]?.type === 'REPLY'
  return type === 'FORM' ? form !== null : type !== 'FIELD'
}

/** Tells whether the second chunk shows it: all but a plain text. */
export function isRich({ type, contentType, items, actions, attachment, meta, provenance }: TalkMessage): boolean {
  if (type === 'POSTBACK') return false
  const isMore = attachment || meta?.fileId || meta?._rating || provenance
  const hasMore = [items, actions].some((each) => each && each.length > 0)
  return Boolean(isMore) || hasMore || contentType !== 'TEXT_PLAIN' || /CARD|FORM/.test(type)
}
