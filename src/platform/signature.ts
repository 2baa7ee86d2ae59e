import { BadUserInput } from './errors.js'
import { isAbsent, parseText } from './input.js'
import { escapeHtml } from './content/escape-html.js'
import { sanitiseHtml } from './content/sanitise-html.js'

const BYTES_MAX = 10_240
/** The one placeholder: the name under which the mail's author speaks. */
const NAME = /\{\{\s*agent\.name\s*\}\}/g
const PLACEHOLDER = /\{\{[^{}]{0,100}\}\}/

export const SIGNATURE =
  'HTML with the tags that messages may have (2.10), at most 10 KB; `{{ agent.name }}` is the name of who writes the mail.'

/**
 * Parses a signature of mails to its sanitized form; null for one without content.
 * @throws BadUserInput naming the field, also for a placeholder that nothing would fill
 */
export function parseSignature(value: unknown, field: string): string | null {
  if (isAbsent(value)) return null
  const html = sanitiseHtml(parseText(value, field, { maxBytes: BYTES_MAX })).trim()
  // Checked again, since escaping and closing tags lengthen it.
  parseText(html, field, { maxBytes: BYTES_MAX })
  const [unknown] = PLACEHOLDER.exec(html.replace(NAME, '')) ?? []
  if (unknown === undefined) return html === '' ? null : html
  throw new BadUserInput(
    field,
    `${field} has the placeholder ${unknown}, which nothing fills: there is {{ agent.name }}`,
  )
}

/** Returns the signature of a mail of this author. */
export function signatureOf(html: string, agentName: string): string {
  return html.replace(NAME, () => escapeHtml(agentName))
}
