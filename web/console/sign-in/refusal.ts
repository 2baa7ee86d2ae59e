import { useEffect, useState } from 'preact/hooks'
import { navigate } from '../../shared/router.js'
import type { SignInRefused } from '../../shared/session.js'
import { sentence } from './sign-in-frame.js'
import { words } from './words.js'

const REASON = 'refused'
/** Reasons of errors, as the server names them: nobody puts words of their own on the page by an address. */
const NAMED = /^[A-Z_]{1,40}$/

/** Returns the reason in the address for which an attempt at a provider led to nothing; null without one. */
export function refusedIn(search: string): string | null {
  const reason = new URLSearchParams(search).get(REASON)
  return reason !== null && NAMED.test(reason) ? reason : null
}

/** Takes the reason out of the address, so that a reload does not say it again. @returns it, until it is dismissed */
export function useRefusal(): [reason: string | null, dismiss: () => void] {
  const [reason, set] = useState(() => refusedIn(location.search))
  useEffect(() => {
    const url = new URL(location.href)
    if (!url.searchParams.has(REASON)) return
    url.searchParams.delete(REASON)
    navigate(url.pathname + url.search, { replace: true })
  }, [])
  return [reason, () => set(null)]
}

/** Says in words why it did not work, and what to do. */
export function refusalText(reason: string): string {
  return Object.hasOwn(words.refusals, reason) ? words.refusals[reason]! : words.otherRefusal(reason)
}

/** Says why a sign-in was refused: in the user's words where there are some, else in the server's. */
export function signInFault({ reason, message, minLength }: SignInRefused): string {
  if (minLength !== null) return words.tooShort(minLength)
  return reason !== null && Object.hasOwn(words.refusals, reason) ? words.refusals[reason]! : sentence(message)
}
