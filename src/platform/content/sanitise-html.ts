import sanitize from 'sanitize-html'

/** Deeper elements lose their tags and keep their contents, so that browsers need not lay out 10,000 nested boxes. */
const NESTING_MAX = 100

const LINK = /^\s*(?:(?:https?|ftp):\/\/|mailto:)/i
const IMAGE = /^\s*https?:\/\//i

/**
 * Built once; sanitize-html does not modify it.
 * - 2.10 restricts `href` but not `src`: images are allowed by http and https, not by `data:`.
 * - A relative or protocol-relative address has no allowed scheme and would lead into the console or the widget that
 *   shows the message, so it is dropped; the link's text stays.
 * - `target` is the only attribute added (2.10), always by the server. `rel` is not: 2.10's list of attributes is
 *   complete, and `target="_blank"` implies `noopener` in every browser that follows the HTML standard.
 */
const OPTIONS: sanitize.IOptions = {
  allowedTags: [
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
    'nl',
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
  ],
  allowedAttributes: { a: ['href', 'target'], img: ['src'] },
  allowedSchemes: ['http', 'https', 'ftp', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: ['script', 'style', 'textarea'],
  nestingLimit: NESTING_MAX,
  transformTags: {
    a: (tagName, { href }) => ({ tagName, attribs: { ...absolute('href', href, LINK), target: '_blank' } }),
    img: (tagName, { src }) => ({ tagName, attribs: absolute('src', src, IMAGE) }),
  },
}

/**
 * Sanitizes HTML from a client (2.10, HTML rules): only listed tags, no attributes except `img[src]`, `a[href]` and the
 * `target` set here; keeps the contents of other tags except script, style and textarea; closes unclosed elements.
 * Linear in the length of the text.
 */
export function sanitiseHtml(html: string): string {
  return sanitize(html, OPTIONS)
}

function absolute(attribute: string, url: string | undefined, form: RegExp): sanitize.Attributes {
  return url !== undefined && form.test(url) && URL.canParse(url) ? { [attribute]: url } : {}
}
