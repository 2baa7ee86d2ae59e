import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type BulkWords } from './words/en.js'

/** Texts of acts with many conversations in the user's language. */
export const { words, useWords: useBulkWords } = createCatalogue<BulkWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
