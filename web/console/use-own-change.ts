import { useEffect, useState } from 'preact/hooks'

/** Returns what was told last, or what an own change has left since then, and a function that notes such a change. */
export function useOwnChange<Told>(told: Told): [Told, (changed: Told) => void] {
  const [own, setOwn] = useState<{ changed: Told } | null>(null)
  useEffect(() => setOwn(null), [told])
  return [own ? own.changed : told, (changed) => setOwn({ changed })]
}
