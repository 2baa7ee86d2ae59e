/** Encoding and size of a text sent by SMS (3GPP TS 23.038 and 23.040). */
export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** Septets, or 16-bit units. */
  units: number
  /** Messages that a carrier counts; at least 1. */
  segments: number
}

const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const GSM_EXTENDED = '\f^{}\\[~]|€'

/** Units of each character of the alphabet; an extended one takes an escape and a septet. */
const SEPTETS: ReadonlyMap<string, number> = new Map([
  ...[...GSM].map((character) => [character, 1] as const),
  ...[...GSM_EXTENDED].map((character) => [character, 2] as const),
])

/** Units of a single message, and of each of several parts, which begin with a header of 6 bytes. */
const ROOM = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const

/** Counts as carriers do: one character outside of the GSM alphabet makes the whole text UCS-2. */
export function smsSize(text: string): SmsSize {
  const characters = [...text]
  const isGsm = characters.every((character) => SEPTETS.has(character))
  const encoding = isGsm ? 'GSM-7' : 'UCS-2'
  const sizes = characters.map((character) => (isGsm ? SEPTETS.get(character)! : character.length))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { single, part } = ROOM[encoding]
  return { encoding, units, segments: units <= single ? 1 : partsOf(sizes, part) }
}

/** Neither escape sequences nor surrogate pairs are split, so a part may end one unit short. */
function partsOf(sizes: readonly number[], room: number): number {
  let parts = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > room) {
      parts++
      used = 0
    }
    used += size
  }
  return parts
}
