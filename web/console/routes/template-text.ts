import type { TemplatesQuery } from '../../generated/beside.js'

export type Template = TemplatesQuery['templates'][number]

const VARIABLE = /\{\{\s*([A-Za-z0-9_]{1,60})\s*\}\}/g

/** Renders what the consumer reads; a value that is missing stays in its braces. */
export function renderedText({ headerText, body, footer }: Template, values: Readonly<Record<string, string>>): string {
  return [headerText, body, footer]
    .filter((part) => part)
    .map((part) => part!.replaceAll(VARIABLE, (braces, name: string) => values[name]?.trim() || braces))
    .join('\n\n')
}

export const showsFile = ({ header }: Template): boolean => header !== null && header !== 'TEXT'

/** Tells whether a value is one that providers refuse. */
export const isBroken = (value: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}]| {5,}/u.test(value)

/** Those with a text in their name or words, in a language; those in the consumer's language come first. */
export function templatesFor(
  templates: readonly Template[],
  { search, language, preferred }: { search: string; language: string; preferred: string | null },
): Template[] {
  const words = search.trim().toLowerCase()
  const fits = (template: Template): boolean =>
    (language === '' || template.language === language) &&
    `${template.name} ${template.body}`.toLowerCase().includes(words)
  const rank = (template: Template): number => (preferred && template.language.startsWith(preferred) ? 0 : 1)
  return templates.filter(fits).toSorted((a, b) => rank(a) - rank(b))
}
