import { createRequest } from '@switchboard/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SignInMethodsDocument, type SignInMethodsQuery } from '../../generated/sign-in.js'

export type SignInProvider = SignInMethodsQuery['signInMethods']['providers'][number]

const request = createRequest({ serverUrl: '', token: null })
/** A pause in typing. */
const PAUSE_MS = 250
/** The form of a domain: nothing else is asked for. */
const DOMAIN = /^[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/

const NONE: readonly SignInProvider[] = []

/** The providers of the domain of an email, which are asked for when the email is typed. */
export interface Providers {
  shown: readonly SignInProvider[]
  /** Looks for those of an email, after a pause in typing. */
  look(email: string): void
  /** Finds those of an email now; none if the server does not say. */
  find(email: string): Promise<readonly SignInProvider[]>
}

/** Asks by the domain alone, after a pause in typing: what stands before `@` is not sent. */
export function useProviders(): Providers {
  const [domain, setDomain] = useState('')
  const [found, setFound] = useState({ domain: '', providers: NONE })
  /** The domain that is typed at present: a late answer for another one is not shown. */
  const typed = useRef('')
  const find = async (wanted: string): Promise<readonly SignInProvider[]> => {
    if (wanted === '' || found.domain === wanted) return wanted === '' ? NONE : found.providers
    try {
      const providers = await ask(wanted)
      if (typed.current === wanted) setFound({ domain: wanted, providers })
      return providers
    } catch {
      // Asked again by the next attempt; a password works meanwhile.
      return NONE
    }
  }
  useEffect(() => {
    const timer = setTimeout(() => void find(domain), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [domain])
  return {
    shown: domain !== '' && found.domain === domain ? found.providers : NONE,
    look(email) {
      typed.current = domainOf(email)
      setDomain(typed.current)
    },
    find: (email) => find(domainOf(email)),
  }
}

async function ask(domain: string): Promise<readonly SignInProvider[]> {
  return (await request(SignInMethodsDocument, { email: `@${domain}` })).signInMethods.providers
}

/** The domain of an email, or nothing while it is not complete. */
function domainOf(email: string): string {
  const domain = email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
  return email.includes('@') && DOMAIN.test(domain) ? domain : ''
}
