/** Elements that an HTML message may contain (2.10); `nl` is in the list and is no element of HTML: its content stays. */
const TAGS = new Set([
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'p',
  'a',
  'img',
  'small',
  'ul',
  'ol',
  'li',
  'b',
  'i',
  'strong',
  'em',
  'strike',
  'code',
  'hr',
  'br',
  'div',
  'table',
  'thead',
  'caption',
  'tbody',
  'tr',
  'th',
  'td',
  'pre',
])
/** Dropped with what they hold. */
const DROPPED = new Set([
  'script',
  'style',
  'textarea',
  'template',
  'noscript',
  'iframe',
  'object',
  'embed',
  'svg',
  'math',
])
const DEPTH_MAX = 60

export interface HtmlPolicy {
  createHTML(html: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy
}

/**
 * A page's one policy of that name: what it lets through is only ever parsed into a document that runs and loads nothing.
 * @throws TypeError where the page does not allow it
 */
export function createHtmlPolicy(name: string): HtmlPolicy {
  const rules = { createHTML: (html: string) => html }
  return (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(name, rules) ?? rules
}

/** Creates elements of the page. */
export interface Maker<Made> {
  element(tag: string, attributes: Readonly<Record<string, string>>, children: (Made | string)[]): Made
  /** Shows an image of a message, or offers to. */
  picture(address: string): Made
}

/** HTML of a message, rebuilt element by element from what is allowed: nothing of it is ever given to the page as HTML. */
export function rebuildHtml<Made>(html: string, policy: HtmlPolicy, make: Maker<Made>): (Made | string)[] {
  const { body } = new DOMParser().parseFromString(policy.createHTML(withoutAttributes(html)), 'text/html')
  return childrenOf(body, make, 0)
}

/**
 * Takes out what the page's policy would report while it is parsed: styles, scripts and all attributes but addresses. What
 * is shown does not depend on it: the elements are rebuilt one by one.
 */
function withoutAttributes(html: string): string {
  return html
    .replaceAll(/<(\/?)(?:style|script)\b/gi, '<$1template')
    .replaceAll(/<([a-z][\w-]*)([^>]*)>/gi, (_whole, tag: string, rest: string) => {
      const kept = rest.match(/\b(?:href|src)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi) ?? []
      return `<${[tag, ...kept].join(' ')}>`
    })
}

function childrenOf<Made>(node: Node, make: Maker<Made>, depth: number): (Made | string)[] {
  return [...node.childNodes].flatMap((child) => rebuilt(child, make, depth))
}

function rebuilt<Made>(node: Node, make: Maker<Made>, depth: number): (Made | string)[] {
  if (node.nodeType === Node.TEXT_NODE) return [node.nodeValue ?? '']
  if (node.nodeType !== Node.ELEMENT_NODE) return []
  const element = node as Element
  const tag = element.localName
  if (DROPPED.has(tag)) return []
  if (depth > DEPTH_MAX) return [element.textContent ?? '']
  if (tag === 'img') return [make.picture(element.getAttribute('src') ?? '')]
  const children = childrenOf(element, make, depth + 1)
  if (!TAGS.has(tag)) return children
  if (tag === 'hr' || tag === 'br') return [make.element(tag, {}, [])]
  if (tag !== 'a') return [make.element(tag, {}, children)]
  const url = URL.parse(element.getAttribute('href') ?? '')
  if (!url || !['http:', 'https:', 'ftp:', 'mailto:'].includes(url.protocol)) return children
  return [make.element('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer' }, children)]
}
