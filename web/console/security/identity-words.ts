import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type IdentityWords } from './identity-words/en.js'

/** Texts of identities at providers, in the user's language. */
export const { words: identityWords, useWords: useIdentityWords } = createCatalogue<IdentityWords>(en, {
  nl: async () => (await import('./identity-words/nl.js')).nl,
  de: async () => (await import('./identity-words/de.js')).de,
  fr: async () => (await import('./identity-words/fr.js')).fr,
})
