import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type RuleWords } from './words/en.js'

/** Texts about drafts and the history of workflows in the user's language. */
export const { words, useWords: useRuleWords } = createCatalogue<RuleWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
