import { compile } from 'html-to-text'

const NESTING_MAX = 100

/** Compiled once: compiling its selectors takes most of the time for a short text. */
const convert = compile({
  wordwrap: false,
  limits: { maxDepth: NESTING_MAX, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    // An image is rendered as its address.
    { selector: 'img', options: { linkBrackets: false } },
    { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/**
 * Converts sanitized HTML to text, for clients that cannot show it (2.10): links as `text (address)`, lists with
 * dashes.
 */
export function textOfHtml(html: string): string {
  return convert(html).trim()
}
