import { useLayoutEffect, useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import type { Session } from '../shared/session.js'
import { ConsoleStore, StoreContext } from './store/console-store.js'
import { Lazy } from './lazy.js'
import { route } from './route.js'
import { takeEmail } from './kept.js'
import { Workspace } from './workspace.js'

const RETRY_MS = 3_000

/** The sign-in, or the workspace of whoever is signed in. */
export function App({ session }: { session: Session }) {
  const isReachable = useResumed(session)
  const state = session.state.value
  const { value: shown } = route
  // Also for whoever is signed in: the link may be another user's.
  if (shown.page === 'choosePassword')
    return (
      <Lazy
        key={shown.purpose}
        load={async () => {
          const { ChoosePassword } = await import('./sign-in/choose-password.js')
          return { default: () => <ChoosePassword session={session} purpose={shown.purpose} /> }
        }}
      />
    )
  if (state === 'unknown') return <Opening isReachable={isReachable} />
  if (state === 'signedOut') {
    if (shown.page === 'forgot') return <Lazy key="forgot" load={() => import('./sign-in/forgot.js')} />
    return <Lazy key="signIn" load={() => import('./sign-in/sign-in.js')} props={{ session }} />
  }
  return <SignedIn key={state.user} session={session} isAdmin={state.isAdmin} />
}

/** Asks until the server has said whether there is a session. @returns whether it answers */
function useResumed(session: Session): boolean {
  const [isReachable, setReachable] = useState(true)
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = (): void => {
      if (session.state.peek() !== 'unknown') return
      session.resume().catch(() => {
        setReachable(false)
        timer = setTimeout(ask, RETRY_MS)
      })
    }
    ask()
    return () => clearTimeout(timer)
  }, [session])
  return isReachable
}

function Opening({ isReachable }: { isReachable: boolean }) {
  return (
    <main class="opening" aria-busy={isReachable}>
      <p role="status">{isReachable ? <span class="vh">{t().loading}</span> : t().signIn.unreachable}</p>
    </main>
  )
}

function SignedIn({ session, isAdmin }: { session: Session; isAdmin: boolean }) {
  const [store, setStore] = useState<ConsoleStore | null>(null)
  // Before anything is painted: the socket opens meanwhile.
  useLayoutEffect(() => {
    takeEmail()
    const opened = new ConsoleStore(session, isAdmin)
    setStore(opened)
    void opened.start()
    return () => opened.stop()
  }, [session, isAdmin])
  if (!store) return null
  return (
    <StoreContext.Provider value={store}>
      <Workspace />
    </StoreContext.Provider>
  )
}
