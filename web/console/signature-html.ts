/** A name in angle brackets is no tag. */
const TAG = /<\/?(?:a|b|blockquote|br|code|div|em|h[3-6]|hr|i|img|li|ol|p|pre|small|strike|strong|table|ul)\b[^<>]*>/i

/** Makes HTML of a signature as it was typed: lines without any tag become lines; null for none. */
export function signatureHtml(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return null
  if (TAG.test(text)) return text
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${escaped.replaceAll('\n', '<br>')}</p>`
}

/** Shows a stored signature for typing: one of plain lines without its tags. */
export function signatureTyped(html: string | null | undefined): string {
  const [, lines] = /^<p>((?:[^<]|<br ?\/?>)*)<\/p>$/.exec(html ?? '') ?? []
  if (lines === undefined) return html ?? ''
  return lines
    .replaceAll(/<br ?\/?>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
