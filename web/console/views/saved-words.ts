import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type SavedWords } from './saved-words/en.js'

/** Texts of saved views in the user's language. */
export const { words: saved, useWords: useSavedWords } = createCatalogue<SavedWords>(en, {
  nl: async () => (await import('./saved-words/nl.js')).nl,
  de: async () => (await import('./saved-words/de.js')).de,
  fr: async () => (await import('./saved-words/fr.js')).fr,
})
