import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ThreadMessage } from '../../shared/live/thread.js'

/** So many of the newest messages are drawn at first, and so many more at a time for who scrolls back. */
const STEP = 60
/** Most that are drawn at the end of the log: the oldest are left out again. */
const DRAWN_MAX = 150
/** Nearer than this to its end, the log follows what comes. */
const END_PX = 40
/** By then the browser has laid it out. */
const UNANCHORED_MS = 100
/** By then a screen reader has seen what was drawn. */
const HUSHED_MS = 500
/** Nearer than this to its start, more is drawn. */
const START_PX = 1_200

export interface Drawn {
  log: { current: HTMLDivElement | null }
  /** Position of the first message that is drawn. */
  first: number
  /** Messages that came since its end was seen last; null when it is seen. */
  unseen: number | null
  /** Draws those that are here and not drawn; or all that will be. */
  back(): void
  scrolled(): void
  toEnd(): void
}

/**
 * Determines the messages of a log that are in the document: from one on, all to the newest. The log counts from its end
 * (`column-reverse`), so that what is added and left out at its start moves nothing that is seen.
 */
export function useDrawn(messages: readonly ThreadMessage[]): Drawn {
  const log = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(() => positionAt(messages, -STEP))
  const [isAtEnd, setAtEnd] = useState(true)
  const seen = useRef(0)
  if (isAtEnd) seen.current = messages.at(-1)?.position ?? 0
  const hush = useHush(log)
  const from = messages.findIndex(({ position }) => position >= first)

  useLayoutEffect(() => {
    if (!isAtEnd || messages.length - from <= DRAWN_MAX || isUsed(log.current!)) return
    setFirst(positionAt(messages, -STEP))
  }, [isAtEnd, messages.length])

  // Also soon after something was drawn at the start.
  useLayoutEffect(() => void (log.current!.style.overflowAnchor = ''), [messages.at(-1)?.position])

  // What comes at the start moves nothing, since the log counts from its end, so the browser must not make up for it. It does
  // where the start is seen. Of what comes at the end it must.
  useLayoutEffect(() => {
    hush()
    const { style } = log.current!
    style.overflowAnchor = 'none'
    const timer = setTimeout(() => (style.overflowAnchor = ''), UNANCHORED_MS)
    return () => clearTimeout(timer)
  }, [first, messages[0]?.position])

  const back = (): void => {
    hush()
    setFirst(from > STEP ? messages[from - STEP]!.position : 0)
  }
  return {
    log,
    first,
    unseen: isAtEnd ? null : messages.filter(({ position }) => position > seen.current).length,
    back,
    scrolled() {
      const { scrollTop, scrollHeight, clientHeight } = log.current!
      setAtEnd(scrollTop > -END_PX)
      if (from > 0 && scrollHeight - clientHeight + scrollTop < START_PX) back()
    },
    toEnd() {
      log.current!.scrollTop = 0
      log.current!.focus()
    },
  }
}

/** A log is read aloud as it grows; old messages that are drawn are no news. */
function useHush(log: { current: HTMLDivElement | null }): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  return () => {
    const { current } = log
    current!.ariaLive = 'off'
    clearTimeout(timer.current)
    timer.current = setTimeout(() => (current!.ariaLive = 'polite'), HUSHED_MS)
  }
}

/** Position of a message by its index; from the end, when that is negative. */
function positionAt(messages: readonly ThreadMessage[], index: number): number {
  return (messages.at(index) ?? messages[0])?.position ?? 0
}

/** Something in it has the focus, or is selected: it must not go. */
function isUsed(log: HTMLElement): boolean {
  const selection = getSelection()
  return log.querySelector(':focus') !== null || (selection?.type === 'Range' && selection.containsNode(log, true))
}
