const PATHS = {
  down: 'm4 6 4 4 4-4',
  send: 'M8 13.5v-11M3.5 7 8 2.5 12.5 7',
  clip: 'm13 7.5-5.3 5.3a3.2 3.2 0 0 1-4.5-4.5L8.7 2.8a2.1 2.1 0 0 1 3 3L6.5 11a1 1 0 0 1-1.5-1.5l4.7-4.7',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  clock: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5ZM8 4.8V8l2 1.5',
  alert: 'M8 2.2 14.3 13H1.7ZM8 6.5V9M8 11v.1',
  off: 'm2 2 12 12M5.2 5.4A3.5 3.5 0 0 0 4.5 12H11M7.5 4.3a3.8 3.8 0 0 1 4 3 2.4 2.4 0 0 1 1.7 3.7',
  file: 'M9 1.75H4.5a1 1 0 0 0-1 1v10.5a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5.25ZM9 1.75v3.5h3.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
  chat: 'M13.75 7.5c0 2.9-2.6 5-5.75 5-.7 0-1.3-.1-1.9-.3L3 13.5l.7-2.6A4.8 4.8 0 0 1 2.25 7.5c0-2.9 2.6-5 5.75-5s5.75 2.1 5.75 5Z',
} as const

/** Decoration, beside a word. */
export function Icon({ name, small }: { name: keyof typeof PATHS; small?: boolean }) {
  return (
    <svg class={small ? 'i s' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
