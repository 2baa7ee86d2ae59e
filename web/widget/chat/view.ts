import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Talk } from '../talk/talk.js'
import type { TalkMessage } from '../talk/thread.js'
import type { Messages } from '../words/en.js'

/** What every part of the chat needs. */
export interface View {
  talk: Talk
  words: Messages
  language: string
  server: string
}

export const ViewContext = createContext<View | null>(null)

export const useView = (): View => useContext(ViewContext)!

/** `14:05`, in the browser's zone. */
export function timeOfDay(at: string | number, language: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))
}

export function dayOf(at: string | number, { words, language }: View): string {
  const date = new Date(at)
  if (date.toDateString() === new Date().toDateString()) return words.today
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { day: 'numeric', month: 'long' }).format(date)
}

/** Whether a thread has it: a field that was filled and a postback that is not echoed (2.10) are no turns. */
export function isShown({ type, actions }: TalkMessage): boolean {
  return type === 'POSTBACK' ? actions?.[0]?.type === 'REPLY' : type !== 'FIELD' && type !== 'FORM'
}

/** What the second chunk shows. */
export function isRich({ type, contentType, items, attachment, meta }: TalkMessage): boolean {
  const isFile = attachment !== null || typeof meta?.fileId === 'string'
  return isFile || (items?.length ?? 0) > 0 || contentType !== 'TEXT_PLAIN' || type === 'CARD'
}

/** An address that a visitor may be led to; null for anything else, such as a script. */
export function safeLink(uri: string | null | undefined): string | null {
  const url = uri ? URL.parse(uri) : null
  return url && ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : null
}
