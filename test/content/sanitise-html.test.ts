import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { sanitiseHtml } from '../../src/platform/content/sanitise-html.js'

const ALLOWED = [
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
]

describe('sanitiseHtml (2.10)', () => {
  // [2.10 HTML tags, HTML attributes]
  it.each(ALLOWED.filter((tag) => !['a', 'img', 'hr', 'br'].includes(tag)))('keeps <%s>, without attributes', (tag) => {
    expect(sanitiseHtml(`<${tag} class="c" style="color:red" id="i">x</${tag}>`)).toBe(`<${tag}>x</${tag}>`)
  })

  // [2.10 HTML tags]
  it('keeps the tags without contents', () => {
    expect(sanitiseHtml('a<hr>b<br>c')).toBe('a<hr />b<br />c')
  })

  // [2.10 HTML contents]
  it.each(['h1', 'h2', 'span', 'u', 'form', 'button', 'option', 'noscript', 'iframe', 'svg', 'object', 'font'])(
    'removes <%s> and keeps its contents',
    (tag) => {
      expect(sanitiseHtml(`a<${tag}><b>x</b></${tag}>c`)).toBe('a<b>x</b>c')
    },
  )

  // [2.10 HTML contents of scripts]
  it.each(['script', 'style', 'textarea', 'SCRIPT', 'sTyle'])('removes <%s> with its contents', (tag) => {
    expect(sanitiseHtml(`a<${tag}>x</${tag}>c`)).toBe('ac')
    expect(sanitiseHtml(`a<${tag}>never closed`)).toBe('a')
  })

  // [2.10 HTML href, HTML a href, HTML target]
  it.each(['http://x.nl/?a=1', 'https://x.nl', 'ftp://x.nl/f', 'mailto:a@x.nl', 'HTTPS://x.nl'])(
    'keeps a link to %s and opens it in a new tab',
    (href) => {
      const link = sanitiseHtml(`<a href="${href}" target="_top" onclick="x()">t</a>`)
      expect(link).toBe(`<a href="${href}" target="_blank">t</a>`)
    },
  )

  // [2.10 HTML href of others]
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '&#106;avascript:alert(1)',
    ' javascript:x',
    'vbscript:x',
    'data:text/html,x',
    'tel:1',
    '/relative',
    '//x.nl',
    'x.html',
    '#top',
    'https:relative',
    'http://',
  ])('drops the address %j of a link and keeps its text', (href) => {
    expect(sanitiseHtml(`<a href="${href}">t</a>`)).toBe('<a target="_blank">t</a>')
  })

  // [2.10 HTML img src, HTML attributes]
  it('allows images from the web only', () => {
    const image = sanitiseHtml('<img src="https://x.nl/a.png" onerror="x()" width="9">')
    expect(image).toBe('<img src="https://x.nl/a.png" />')
    expect(sanitiseHtml('<img src="data:image/png;base64,AA">')).toBe('<img />')
    expect(sanitiseHtml('<img src="ftp://x.nl/a.png">')).toBe('<img />')
  })

  // [2.10 HTML repair of p, HTML repair of img]
  it('repairs badly closed p and img', () => {
    expect(sanitiseHtml('<p>one<p>two')).toBe('<p>one</p><p>two</p>')
    expect(sanitiseHtml('<p>a <b>b</p> c')).toBe('<p>a <b>b</b></p> c')
    expect(sanitiseHtml('<img src="https://x.nl/a.png"></img>t')).toBe('<img src="https://x.nl/a.png" />t')
  })

  it('escapes text that would be markup', () => {
    expect(sanitiseHtml('1 < 2 & "3"')).toBe('1 &lt; 2 &amp; "3"')
    expect(sanitiseHtml('<xmp><img src=x onerror=alert(1)></xmp>')).toBe('&lt;img src=x onerror=alert(1)&gt;')
  })

  it('ends after bounded nesting', () => {
    const html = sanitiseHtml(`${'<div>'.repeat(10_000)}x`)
    expect(html.match(/<div>/g)).toHaveLength(100)
    expect(html).toContain('x')
  })

  // [2.10 HTML tags, HTML attributes, HTML href of others, HTML target]
  it('never outputs a tag, attribute or scheme that is not listed', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), (fragments) => {
        const html = sanitiseHtml(fragments.join(''))
        for (const { tag, attributes } of elementsOf(html)) {
          expect(ALLOWED).toContain(tag)
          for (const [name, value] of Object.entries(attributes)) {
            const shown = name === 'target' ? value : new URL(value).protocol
            expect(`${tag}[${name}] ${shown}`).toMatch(
              /^(?:img\[src\] https?:|a\[href\] (?:https?|ftp|mailto):|a\[target\] _blank)$/,
            )
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Pieces of hostile markup, to be put together in any order. */
const fragment = fc.oneof(
  fc.constantFrom(
    '<script>',
    '</script>',
    '<script src=//x>',
    '<style>',
    '</style>',
    '<textarea>',
    '</textarea>',
    '<noscript>',
    '</noscript>',
    '<svg>',
    '<math>',
    '<mtext>',
    '<mglyph>',
    '<table>',
    '</table>',
    '<p>',
    '</p>',
    '<xmp>',
    '</xmp>',
    '<iframe>',
    '</iframe>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<title>',
    '</title>',
    '<plaintext>',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<a href="javascript:alert(1)">',
    "<a href='jav\tascript:alert(1)' onclick=alert(1)>",
    '<a href="data:text/html,<script>">',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img/src="https://x"/onerror=alert(1)>',
    '<base href=//x>',
    '<meta http-equiv=refresh content="0;url=javascript:x">',
    '<object data="javascript:x">',
    '<form action=javascript:x>',
    '<p title="</noscript><img src=x onerror=alert(1)>">',
    '<div style="background:url(javascript:x)">',
    '</a>',
    '<',
    '>',
    '"',
    "'",
    '&lt;script&gt;',
    '&#60;img src=x onerror=1&#62;',
    '&#x6A;avascript:',
    '\0',
    '<a href="https://x.nl/?a=1&b=2">',
    '<A HREF=FTP://x>',
    '<animate attributeName=href values=javascript:x>',
    '<template>',
    '<select><option>',
    '<img src="https://x" src="javascript:x">',
  ),
  fc.string({ maxLength: 8 }),
)

/**
 * Reads canonical markup only: every `<` must begin a tag written `<name attribute="value">`, and every attribute value
 * ends at its quote. What this grammar accepts, all browsers read alike.
 */
function elementsOf(html: string): { tag: string; attributes: Record<string, string> }[] {
  const elements: { tag: string; attributes: Record<string, string> }[] = []
  const canonicalTag = /<\/[a-z][a-z0-9]*>|<([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g
  const text = html.replace(canonicalTag, (_, tag?: string, attributes = '') => {
    const pairs = [...String(attributes).matchAll(/([a-z]+)="([^"]*)"/g)]
    const values = Object.fromEntries(pairs.map(([, name, value]) => [name, decoded(value!)]))
    if (tag) elements.push({ tag, attributes: values })
    return ''
  })
  expect(text).not.toMatch(/[<>]/)
  return elements
}

function decoded(value: string): string {
  return value
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}
