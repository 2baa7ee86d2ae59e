import type { PendingWrite } from './pending-write.js'

/** Adds the writes that cannot run now, and later ones on their conversations, which must not pass them. */
export function addBusy(
  writes: readonly PendingWrite[],
  busy: Set<PendingWrite>,
  isBusy: (write: PendingWrite) => boolean,
): void {
  const held = new Set<string>()
  for (const write of writes) {
    if (!busy.has(write) && !isBusy(write) && !write.ids.some((id) => held.has(id))) continue
    busy.add(write)
    for (const id of write.ids) held.add(id)
  }
}
