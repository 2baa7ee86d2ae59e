import { Refused } from '@switchboard/client'
import { useState } from 'preact/hooks'
import { AdminBotDocument, SetBotGrantsDocument } from '../../../generated/bots-admin.js'
import { useStore } from '../../store/console-store.js'
import type { Bot, Governance, Line } from './grants.js'

/** Changes that are not saved, with what they began with. */
interface Draft {
  lines: readonly Line[]
  /** Version of the governance that they replace; 0 if there was none. */
  version: number
  /** The governance as somebody else has saved it meanwhile; null if nobody did. */
  theirs: { governance: Governance | null } | null
}

export interface GrantsFault {
  message: string
  /** Index of the line that was refused. */
  line: number | null
}

/** Changes that were not saved when the page was left: they are there on return. */
const unsaved = new Map<string, Draft>()
addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault()
})

/** Organizations for which lines of a bot were changed and not saved. */
export const draftedOrganizations = (user: string, bot: string): string[] =>
  [...unsaved.keys()].filter((key) => key.startsWith(`${user} ${bot} `)).map((key) => key.split(' ')[2]!)

interface Saved {
  refresh(): void
  saved(governance: Governance | null): void
}

/** The lines of one organization as they are changed; null while nobody changes them. */
export function useGrantsDraft(bot: Bot, organization: string, { refresh, saved }: Saved) {
  const store = useStore()
  const key = `${store.user} ${bot.id} ${organization}`
  const [, redraw] = useState({})
  const draft = unsaved.get(key) ?? null
  const [fault, setFault] = useState<GrantsFault | null>(null)
  const [isBusy, setBusy] = useState(false)
  const keep = (next: Draft | null): void => {
    if (next) unsaved.set(key, next)
    else unsaved.delete(key)
    redraw({})
  }
  const save = async (): Promise<void> => {
    if (!draft || isBusy) return
    setBusy(true)
    setFault(null)
    const grants = draft.lines.map(({ action, mode, conditions }) => ({
      action,
      mode,
      conditions: conditions as unknown as Record<string, unknown>,
    }))
    try {
      const given = { bot: bot.id, organization, grants, ifVersion: draft.version }
      const { setBotGrants } = await store.request(SetBotGrantsDocument, given)
      const { governance } = setBotGrants
      // What was changed meanwhile is not saved.
      if (unsaved.get(key) === draft) keep(null)
      const version = governance?.version ?? 0
      for (const [each, other] of unsaved)
        if (each.startsWith(`${store.user} ${bot.id} `) && other.version === draft.version)
          unsaved.set(each, { ...other, version })
      saved(governance)
    } catch (error) {
      if (error instanceof Refused && error.reason === 'OTHER_VERSION') await readTheirs()
      else setFault(faultOf(error as Error))
    } finally {
      setBusy(false)
    }
  }
  /** Nothing that was changed here is lost: the next save replaces what is shown of the other's. */
  const readTheirs = async (): Promise<void> => {
    refresh()
    try {
      const { user } = await store.request(AdminBotDocument, { id: bot.id })
      const governance = user?.governance ?? null
      const mine = unsaved.get(key)
      if (mine) keep({ ...mine, version: governance?.version ?? 0, theirs: { governance } })
    } catch (error) {
      setFault(faultOf(error as Error))
    }
  }
  return {
    draft,
    fault,
    isBusy,
    begin: (lines: readonly Line[]) => keep({ lines, version: bot.governance?.version ?? 0, theirs: null }),
    change(lines: readonly Line[]) {
      setFault(null)
      if (draft) keep({ ...draft, lines })
    },
    discard() {
      setFault(null)
      keep(null)
    },
    save,
  }
}

function faultOf(error: Error): GrantsFault {
  const [, line] = (error instanceof Refused && /^grants\[(\d+)\]/.exec(error.field ?? '')) || []
  return { message: error.message, line: line === undefined ? null : Number(line) }
}
