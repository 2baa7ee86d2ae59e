import { useEffect, useState } from 'preact/hooks'

/** So long after what is shown changed, a press was meant for what stood there before, as the second half of a double click is. */
const HELD_MS = 600

/**
 * True just after what is shown changed.
 * @param first what is taken for shown before at the beginning: another than `shown` holds that too
 */
export function useHeld(shown: string, first = shown): boolean {
  const [freed, free] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => free(shown), HELD_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return freed !== shown
}
