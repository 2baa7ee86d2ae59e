import { computed } from '@preact/signals'
import { address } from '../shared/router.js'

export type ListName = 'queue' | 'mine' | 'inbox'

export type Route =
  | { page: 'list'; list: ListName }
  | { page: 'thread'; key: string; joins: boolean }
  | { page: 'search' | 'settings' | 'admin' | 'reports'; rest: string }
  | { page: 'forgot' }
  | { page: 'choosePassword'; purpose: 'invitation' | 'reset' }

const PREFIX = '/console'

/** What the address names; anything unknown is the queue. */
export const route = computed<Route>(() => {
  const url = new URL(address.value, location.origin)
  const [name = '', ...rest] = url.pathname.slice(PREFIX.length + 1).split('/')
  if (name === 'c' && rest[0])
    return { page: 'thread', key: decodeURIComponent(rest[0]), joins: url.searchParams.has('join') }
  if (name === 'mine' || name === 'inbox') return { page: 'list', list: name }
  if (name === 'search' || name === 'settings' || name === 'admin' || name === 'reports')
    return { page: name, rest: rest.join('/') }
  if (name === 'forgot') return { page: 'forgot' }
  if (name === 'invitation' || name === 'reset') return { page: 'choosePassword', purpose: name }
  return { page: 'list', list: 'queue' }
})

export function listPath(list: ListName): string {
  return `${PREFIX}/${list}`
}

/** @param key a slug, or an id where the slug is not known yet */
export function threadPath(key: string): string {
  return `${PREFIX}/c/${encodeURIComponent(key)}`
}
