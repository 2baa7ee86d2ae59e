/** Somebody who did nothing for so long is not at the page. */
const AWAY_MS = 60_000

let lastInput = performance.now()
let lastTold = lastInput

/**
 * Watches whether somebody is at the page: its session is used by people, not by what the page asks by itself. Who reads asks for nothing:
 * that is told once a minute. @returns stops
 */
export function watchAttendance(tell: () => void): () => void {
  const stop = new AbortController()
  const noted = (): void => {
    lastInput = performance.now()
    if (lastInput - lastTold < AWAY_MS) return
    lastTold = lastInput
    tell()
  }
  lastInput = lastTold = performance.now()
  // Dictation, and what reads the screen or presses buttons for somebody, has neither a pointer nor keys.
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'click', 'input'])
    addEventListener(name, noted, { capture: true, signal: stop.signal })
  return () => stop.abort()
}

/** `fetch` that says when nobody is at the page. */
export const fetchAttended: typeof fetch = (address, init) => {
  const headers = new Headers(init?.headers)
  if (performance.now() - lastInput > AWAY_MS) headers.set('switchboard-unattended', '1')
  else lastTold = performance.now()
  return fetch(address, { ...init, headers })
}
