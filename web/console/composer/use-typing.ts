import { useEffect, useRef } from 'preact/hooks'
import { SetTypingDocument } from '../../generated/conversations.js'
import type { ConsoleStore } from '../store/console-store.js'

const TYPING_AGAIN_MS = 3_000
const TYPING_ENDS_MS = 6_000

/** Sends typing indicators: to the consumer for a reply, to colleagues for a note. Repeated while typing, withdrawn afterwards. */
export function useTyping(
  store: ConsoleStore,
  conversation: string,
): { typed: (isNote: boolean) => void; stop: () => void } {
  const state = useRef({
    saidAt: 0,
    isNote: false,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  }).current
  const say = (typing: boolean): void => {
    void store.request(SetTypingDocument, { conversation, typing, isBackchannel: state.isNote }).catch(() => undefined)
  }
  const stop = (): void => {
    clearTimeout(state.timer)
    if (state.saidAt === 0) return
    state.saidAt = 0
    say(false)
  }
  const typed = (isNote: boolean): void => {
    if (isNote !== state.isNote) stop()
    state.isNote = isNote
    clearTimeout(state.timer)
    state.timer = setTimeout(stop, TYPING_ENDS_MS)
    if (Date.now() - state.saidAt < TYPING_AGAIN_MS) return
    state.saidAt = Date.now()
    say(true)
  }
  useEffect(() => stop, [conversation])
  return { typed, stop }
}
