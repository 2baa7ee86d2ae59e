import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type BotWords } from './words/en.js'

/** Texts about what bots suggest, in the user's language. */
export const { words, useWords: useBotWords } = createCatalogue<BotWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
