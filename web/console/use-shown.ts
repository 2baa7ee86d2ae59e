import { useState } from 'preact/hooks'

/**
 * Keeps which of several dialogs is open.
 * @returns its name, how one is opened, and how this one is closed. The browser tells of a closed dialog some time after its
 *   `Esc`: by then a key may have opened another, which stays.
 */
export function useShown<Name>(): [shown: Name | null, show: (name: Name) => void, close: () => void] {
  const [shown, setShown] = useState<Name | null>(null)
  return [shown, (name) => setShown(() => name), () => setShown((now) => (now === shown ? null : now))]
}
