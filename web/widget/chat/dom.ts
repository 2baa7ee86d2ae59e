type Child = Node | string | null | false | undefined
type Listener = (event: never) => void
type Attributes = Record<string, string | number | boolean | null | undefined | Listener>

/**
 * Makes an element: the chat is small enough to need no framework, which would be a third of its weight. Attributes that
 * are true stand empty; those that are false or nothing are left out; a function listens to the event of its name.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** Somebody's own words in a line of ours: their direction ends with them. */
export const bdi = (text: string): HTMLElement => el('bdi', {}, text)

const SVG = 'http://www.w3.org/2000/svg'

/** Paths of a grid of 16. */
const PATHS = {
  down: 'm4 6 4 4 4-4',
  send: 'M8 13.5v-11M3.5 7 8 2.5 12.5 7',
  clip: 'm13 7.5-5.3 5.3a3.2 3.2 0 0 1-4.5-4.5L8.7 2.8a2.1 2.1 0 0 1 3 3L6.5 11a1 1 0 0 1-1.5-1.5l4.7-4.7',
  x: 'm4 4 8 8M12 4l-8 8',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  clock: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5ZM8 4.8V8l2 1.5',
  alert: 'M8 2.2 14.3 13H1.7ZM8 6.5V9M8 11v.1',
  off: 'm2 2 12 12M5.2 5.4A3.5 3.5 0 0 0 4.5 12H11M7.5 4.3a3.8 3.8 0 0 1 4 3 2.4 2.4 0 0 1 1.7 3.7',
  chat: 'M13.75 7.5c0 2.9-2.6 5-5.75 5-.7 0-1.3-.1-1.9-.3L3 13.5l.7-2.6A4.8 4.8 0 0 1 2.25 7.5c0-2.9 2.6-5 5.75-5s5.75 2.1 5.75 5Z',
} as const

/** Decoration, beside a word. */
export function icon(name: keyof typeof PATHS, isSmall = false): SVGElement {
  return drawn(PATHS[name], isSmall ? 'i s' : 'i')
}

export function drawn(d: string, className: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', className)
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.ariaHidden = 'true'
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', d)
  svg.append(path)
  return svg
}
