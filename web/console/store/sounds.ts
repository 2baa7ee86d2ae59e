import { signal } from '@preact/signals'
import type { Sound } from './tones.js'

let audio: AudioContext | null = null
/** Browsers make no sound before the first click or key. */
export const areSoundsBlocked = signal(false)

function open(): AudioContext | null {
  if (!audio && 'AudioContext' in globalThis) {
    audio = new AudioContext()
    const update = (): void => void (areSoundsBlocked.value = audio!.state !== 'running')
    audio.addEventListener('statechange', update)
    update()
    const unlock = (): void => void audio!.resume()
    addEventListener('pointerdown', unlock)
    addEventListener('keydown', unlock)
  }
  return audio
}

/** Finds out whether sounds are blocked. */
export function prepareSounds(): void {
  void open()?.resume()
}

export function play(sound: Sound): void {
  const context = open()
  if (context?.state !== 'running') return
  import('./tones.js').then(
    ({ playNotes }) => playNotes(context, sound),
    () => undefined,
  )
}
