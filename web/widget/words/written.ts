type Words = readonly [answering: (name: string) => string, stop: string]

/** By language, for what is being written: loaded with the first of it. */
export const WRITTEN: Readonly<Record<string, Words>> = {
  en: [(name) => `${name} is answering`, 'Stop'],
  de: [(name) => `${name} antwortet`, 'Anhalten'],
  fr: [(name) => `${name} répond`, 'Arrêter'],
  nl: [(name) => `${name} antwoordt`, 'Stoppen'],
}
