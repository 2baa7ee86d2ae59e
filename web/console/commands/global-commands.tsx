import { effect } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { navigate } from '../../shared/router.js'
import { toggleTheme } from '../../shared/ui/theme.js'
import { Opened } from '../lazy.js'
import { useStore } from '../store/console-store.js'
import { listPath, LIVE } from '../route.js'
import { useShown } from '../use-shown.js'
import { useCommand } from './use-command.js'
import { startKeys } from './keys.js'

/** So long after the first screen is there, the rest is loaded: before, it would only keep the agent waiting. */
const QUIET_MS = 2_000

/** Registers the commands of every screen, and shows the palette and the help that list them. */
export function GlobalCommands() {
  const { commands, isAdmin, lists, organization, session, supervises } = useStore()
  const words = t()
  const [shown, show, close] = useShown<'Palette' | 'Help'>()
  // Before the screen is seen: a key that is pressed at its sight must not be lost.
  useLayoutEffect(() => startKeys(commands), [commands])
  useEffect(() => {
    let timer = 0
    const stop = effect(() => {
      if (!organization.me.value || !lists.queue.state.value) return
      timer ||= setTimeout(() => void import('../ahead.js').catch(() => undefined), QUIET_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])

  useCommand({
    id: 'palette',
    label: words.palette.label,
    icon: 'search',
    key: 'ctrl k',
    zone: 'anywhere',
    run: () => show('Palette'),
  })
  useCommand({
    id: 'queue',
    label: words.palette.goTo(words.nav.queue),
    icon: 'queue',
    key: 'g q',
    run: () => navigate(listPath('queue')),
  })
  useCommand({
    id: 'mine',
    label: words.palette.goTo(words.nav.mine),
    icon: 'mine',
    key: 'g m',
    run: () => navigate(listPath('mine')),
  })
  useCommand({
    id: 'inbox',
    label: words.palette.goTo(words.nav.inbox),
    icon: 'inbox',
    key: 'g i',
    run: () => navigate(listPath('inbox')),
  })
  useCommand({
    id: 'to-contacts',
    label: words.palette.goTo(words.nav.contacts),
    icon: 'contacts',
    key: 'g c',
    run: () => navigate('/console/contacts'),
  })
  useCommand(
    {
      id: 'to-live',
      label: words.palette.goTo(words.nav.live),
      icon: 'board',
      key: 'g l',
      run: () => navigate(LIVE),
    },
    supervises,
  )
  useCommand({
    id: 'to-reports',
    label: words.palette.goTo(words.nav.reports),
    icon: 'chart',
    key: 'g r',
    run: () => navigate('/console/reports'),
  })
  useCommand({
    id: 'to-search',
    label: words.palette.goTo(words.nav.search),
    icon: 'search',
    key: 'g s',
    run: () => navigate('/console/search'),
  })
  useCommand({
    id: 'settings',
    label: words.palette.goTo(words.settings.title),
    icon: 'gear',
    key: 'g ,',
    run: () => navigate('/console/settings'),
  })
  useCommand(
    {
      id: 'admin',
      label: words.palette.goTo(words.nav.admin),
      icon: 'admin',
      key: 'g a',
      run: () => navigate('/console/admin'),
    },
    isAdmin,
  )
  useCommand({ id: 'next', label: words.list.next, icon: 'down', key: 'j', run: () => step('ArrowDown') })
  useCommand({ id: 'previous', label: words.list.previous, icon: 'down', key: 'k', run: () => step('ArrowUp') })
  useCommand({ id: 'theme', label: words.nav.theme, icon: 'half', run: toggleTheme })
  useCommand({ id: 'help', label: words.help.title, icon: 'keys', key: '?', run: () => show('Help') })
  useCommand({ id: 'sign-out', label: words.settings.signOut, icon: 'off', run: () => void session.signOut() })

  return shown && <Opened key={shown} dialog={shown} close={close} />
}

/** Moves the list's focus; the first time to where the list stands. */
function step(key: 'ArrowDown' | 'ArrowUp'): void {
  const stop = document.querySelector<HTMLElement>('.rows a[tabindex="0"]')
  if (!stop) return
  if (document.activeElement !== stop) return stop.focus()
  stop.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}
