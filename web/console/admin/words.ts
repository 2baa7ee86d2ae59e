import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { locale, type Locale } from '../../shared/i18n/messages.js'
import { en, type AdminWords } from './words/en.js'

const current = signal<{ locale: Locale; words: AdminWords }>({ locale: 'en', words: en })

/** What the administration says, in the user's language; components that read it are drawn again when it changes. */
export const words: AdminWords = new Proxy(en, {
  get: (_, key) => current.value.words[key as keyof AdminWords],
})

/** Loads the catalogue of the user's language. @returns whether it is there; the present one stays if it cannot be loaded */
export function useAdminWords(): boolean {
  const wanted = locale()
  useEffect(() => {
    let isWanted = true
    load(wanted).then(
      (loaded) => isWanted && (current.value = { locale: wanted, words: loaded }),
      () => isWanted && (current.value = { ...current.peek(), locale: wanted }),
    )
    return () => void (isWanted = false)
  }, [wanted])
  return current.value.locale === wanted
}

async function load(wanted: Locale): Promise<AdminWords> {
  switch (wanted) {
    case 'nl':
      return (await import('./words/nl.js')).nl
    case 'de':
      return (await import('./words/de.js')).de
    case 'fr':
      return (await import('./words/fr.js')).fr
    case 'en':
      return en
  }
}
