import type { View } from './view.js'

/** A screen reader is told no more often, unless the wait ends. */
const AGAIN_MS = 60_000

/** For a screen reader alone. */
const UNSEEN = 'position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%)'

/** A status is announced when it changes after a screen reader has seen it. */
const SEEN_MS = 100

let saidAt = -AGAIN_MS
let timer: ReturnType<typeof setTimeout> | undefined

/** Writes the visitor's place in line, while it waits: seen at once, and said aloud once a minute. */
export function showPlace(view: View, parent: HTMLElement): void {
  if (parent.firstChild === null) {
    const [line, aloud] = [document.createElement('p'), document.createElement('p')]
    line.className = 'sys'
    line.ariaLive = 'off'
    aloud.role = 'status'
    aloud.style.cssText = UNSEEN
    parent.append(line, aloud)
  }
  const [line, aloud] = [...parent.children] as [HTMLElement, HTMLElement]
  const text = textOf(view)
  if (line.textContent !== text) line.textContent = text
  clearTimeout(timer)
  if (aloud.textContent === text) return
  // In between only the latest is of interest: it is said when the time is up.
  const waitMs = text === '' ? 0 : Math.max(SEEN_MS, saidAt + AGAIN_MS - performance.now())
  timer = setTimeout(() => {
    aloud.textContent = text
    if (text !== '') saidAt = performance.now()
  }, waitMs)
}

function textOf({ talk, words, language }: View): string {
  const { place, messages } = talk.thread
  if (talk.offlineSince !== null) return ''
  // Before the first message: what a new conversation would wait for.
  const opens = messages.length === 0 ? talk.settings?.opensAt : null
  const { position, waitSeconds, opensAt } = place ?? { position: null, waitSeconds: null, opensAt: opens }
  return [
    position !== null && words.place(position, waitSeconds && Math.ceil(waitSeconds / 60)),
    opensAt && words.opens(dateAndTime(opensAt, language)),
  ]
    .filter(Boolean)
    .join(' · ')
}

function dateAndTime(at: string, language: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(new Date(at))
}
