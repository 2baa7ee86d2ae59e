/** A symbol of the sprite in the page; decoration, beside a word. */
export function Icon({ name, size, flip }: { name: string; size?: 's' | 'l'; flip?: boolean }) {
  return (
    <svg class={['i', size, flip && 'flip'].filter(Boolean).join(' ')} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
