import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { route } from '../route.js'
import { ContactList } from './contact-list.js'
import { ContactPage } from './contact-page.js'
import { useContactWords, words } from './words.js'

/** The contacts, or the page of the one that the address names. */
export default function Contacts() {
  useContactWords()
  const shown = route.value
  const id = shown.page === 'contacts' ? shown.rest : ''
  useEffect(() => {
    document.title = `${words.title} · ${t().app}`
  }, [words.title])
  return id ? <ContactPage key={id} id={id} /> : <ContactList />
}
