import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type MacroWords } from './words/en.js'

/** Texts of macros in the user's language. */
export const { words, useWords: useMacroWords } = createCatalogue<MacroWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
