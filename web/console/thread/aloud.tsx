import { useEffect, useRef, useState } from 'preact/hooks'
import type { Thread } from '../../shared/live/thread.js'
import { readAloud } from './reads-aloud.js'

/** A screen reader that is told of each sentence at once would never come to the end of one. */
const PACE_MS = 4_000

/** Has a screen reader read answers while they are written: whole sentences, at most every four seconds. */
export function Aloud({ thread }: { thread: Thread }) {
  const [sentences, say] = useState('')
  /** Number of UTF-16 units of each message that have been read. */
  const read = useRef(new Map<string, number>()).current
  const saidAt = useRef(-PACE_MS)
  useEffect(() => {
    const speak = (): void => {
      const next = [...ended(thread, read), ...growing(thread, read)].filter((text) => text.trim() !== '')
      if (next.length === 0) return
      saidAt.current = performance.now()
      say(next.join(' '))
    }
    const timer = setTimeout(speak, Math.max(0, saidAt.current + PACE_MS - performance.now()))
    return () => clearTimeout(timer)
  }, [thread, sentences])
  return (
    <p class="vh" role="status">
      {sentences}
    </p>
  )
}

/** Takes what is left of messages that are whole by now. */
function ended({ written, messages }: Thread, read: Map<string, number>): string[] {
  return [...read].flatMap(([id, at]) => {
    // One that is neither comes again: the page has begun anew in the middle of it.
    const whole = written.has(id) ? null : messages.find((message) => message.id === id)
    if (!whole) return []
    read.delete(id)
    return whole.text?.slice(at) ?? []
  })
}

/** Takes the sentences that others have finished since. */
function growing({ written }: Thread, read: Map<string, number>): string[] {
  return [...written].flatMap(([id, { text }]) => {
    const at = read.get(id) ?? 0
    const whole = wholeSentences(text.slice(at))
    if (whole === '') return []
    read.set(id, at + whole.length)
    readAloud.add(id)
    return whole
  })
}

/** The last sentence may go on. */
function wholeSentences(text: string): string {
  const segments = [...new Intl.Segmenter(document.documentElement.lang, { granularity: 'sentence' }).segment(text)]
  return segments
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('')
}
