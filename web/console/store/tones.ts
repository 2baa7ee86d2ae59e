/** Two short notes; a consumer who waits sounds higher than a message. */
const NOTES = { chat: [880, 1_174.66], message: [587.33, 659.26] } as const
export type Sound = keyof typeof NOTES

export function playNotes(context: AudioContext, sound: Sound): void {
  for (const [index, frequency] of NOTES[sound].entries()) {
    const at = context.currentTime + index * 0.14
    const tone = new OscillatorNode(context, { frequency, type: 'sine' })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.2, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.32)
  }
}
