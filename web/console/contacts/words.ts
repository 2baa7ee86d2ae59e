import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type ContactWords } from './words/en.js'

/** Texts of the contacts' pages in the user's language. */
export const { words, useWords: useContactWords } = createCatalogue<ContactWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
