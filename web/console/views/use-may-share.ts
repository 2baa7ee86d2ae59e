import { useStore } from '../store/console-store.js'

/** Tells whether the server lets this agent share views, and change those that are shared. */
export function useMayShare(): boolean {
  const store = useStore()
  return store.supervises
}
