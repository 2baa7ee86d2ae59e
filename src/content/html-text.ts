import { compile } from 'html-to-text'

const NESTING_MAX = 100

/** Built once: compiling its selectors is most of a short text's time. */
const convert = compile({
  wordwrap: false,
  limits: { maxDepth: NESTING_MAX, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    // An image says nothing in words; its address does.
    { selector: 'img', options: { linkBrackets: false } },
    { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Sanitised HTML in words, for who cannot show it (2.10): links as `text (address)`, lists with dashes. */
export function textOfHtml(html: string): string {
  return convert(html).trim()
}
