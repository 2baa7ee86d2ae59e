import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type ActWords } from './words/en.js'

/** Texts of what is done with a conversation, in the user's language. */
export const { words, useWords: useActWords } = createCatalogue<ActWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
