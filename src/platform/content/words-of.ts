/** Returns the texts in a language, by its two letters; English ones for others, and for none. */
export function wordsOf<Words, Language extends string>(
  texts: Readonly<Record<Language | 'en', Words>>,
  language: string | null,
): Words & { language: Language | 'en' } {
  const spoken = language !== null && Object.hasOwn(texts, language) ? (language as Language) : 'en'
  return { language: spoken, ...texts[spoken] }
}
