/** Initials on a colour that is the same wherever the person is shown. Never an image of elsewhere. */
export function Avatar({ name, of, size }: AvatarProps) {
  const hue = (hashOf(of ?? name) % 6) + 1
  return (
    <span class={['av', `h${hue}`, size].filter(Boolean).join(' ')} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

export interface AvatarProps {
  name: string
  /** Decides the colour: an id; the name when absent. */
  of?: string
  size?: 's' | 'l'
}

/** At most two letters, by what a reader of the script takes for one. */
export function initials(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words
  return (firstLetter(first) + (isWide(first) ? '' : firstLetter(last))).toLocaleUpperCase()
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function firstLetter(word: string): string {
  return segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? ''
}

function isWide(word: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)
}

function hashOf(text: string): number {
  let hash = 0
  for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0
  return hash
}
