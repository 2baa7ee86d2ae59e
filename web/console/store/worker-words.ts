import { keptPush } from '../kept.js'

/** Messages of the service worker to a window of the console. */
type Said = { open: string } | { renew: true } | { isSeen: true }

interface Listener {
  user: string
  /** A notification of this conversation was clicked. */
  open(conversation: string): void
  /** The push service has ended the subscription. */
  renew(): void
}

/** Hears the service worker while an agent is signed in. @returns stops it */
export function hearWorker({ user, open, renew }: Listener): () => void {
  // Not in a page without https.
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer }
  const hear = ({ data, ports }: MessageEvent): void => {
    const said = data as Said
    if (keptPush()?.user !== user) return
    if ('open' in said) open(said.open)
    else if ('renew' in said) renew()
    // A window in which nobody is signed in shows nothing by itself, and is silent here.
    else ports[0]?.postMessage(null)
  }
  serviceWorker?.addEventListener('message', hear)
  return () => serviceWorker?.removeEventListener('message', hear)
}
