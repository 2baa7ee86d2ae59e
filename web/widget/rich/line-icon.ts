import { drawn } from '../chat/dom.js'

const PATHS = {
  file: 'M9 1.75H4.5a1 1 0 0 0-1 1v10.5a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5.25ZM9 1.75v3.5h3.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
} as const

/** Those that only what is rich needs. */
export function lineIcon(name: keyof typeof PATHS): SVGElement {
  return drawn(PATHS[name], 'i')
}
