import { Refused } from '@switchboard/client'
import { useState } from 'preact/hooks'
import { useOwnChange } from '../../use-own-change.js'
import { words } from './words.js'

/** State of a change. */
export interface Progress {
  isBusy: boolean
  isEdited: boolean
  isSaved: boolean
}

export interface Saving extends Progress {
  fault: string | null
  save(): Promise<void>
  discard(): void
}

export interface Setting<Told, Edited> extends Saving {
  /** As it is saved. */
  saved: Told
  /** As it is changed here; null while nobody does. */
  edited: Edited | null
  edit(edited: Edited): void
}

interface Draft<Edited> {
  edited: Edited
  /** Version of what was there when the change began; null: it replaces whatever is there. */
  version: number | null
}

interface SettingOptions<Told, Edited> {
  /** As the last answer tells it. */
  told: Told
  /** Returns 0 where there is nothing yet. */
  versionOf(told: Told): number
  /** @param ifVersion null: whatever is there is replaced @returns what is there then */
  write(edited: Edited, ifVersion: number | null): Promise<Told>
  refresh(): void
}

/** A setting of a bot that is changed in a box and saved as a whole. What a colleague has saved meanwhile is replaced by a second press only. */
export function useSetting<Told, Edited>(options: SettingOptions<Told, Edited>): Setting<Told, Edited> {
  const { told, versionOf, write, refresh } = options
  const [saved, setOwn] = useOwnChange(told)
  const [draft, setDraft] = useState<Draft<Edited> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    if (isBusy || !draft) return
    setBusy(true)
    setFault(null)
    try {
      const written = await write(draft.edited, draft.version)
      setOwn(written)
      // What was changed meanwhile stays.
      setDraft((now) => (now === draft ? null : now && { ...now, version: versionOf(written) }))
      setSaved(true)
    } catch (error) {
      const isChanged = error instanceof Refused && error.reason === 'OTHER_VERSION'
      // What was changed here stays; the next press replaces what is there by now.
      if (isChanged) setDraft((now) => now && { ...now, version: null })
      setFault(isChanged ? words.changedMeanwhile : (error as Error).message)
    } finally {
      setBusy(false)
      refresh()
    }
  }
  return {
    saved,
    edited: draft?.edited ?? null,
    edit(edited) {
      setSaved(false)
      setDraft({ edited, version: draft ? draft.version : versionOf(saved) })
    },
    discard() {
      setFault(null)
      setDraft(null)
    },
    ...{ save, fault, isBusy, isSaved, isEdited: draft !== null },
  }
}
